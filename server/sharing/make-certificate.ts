import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import * as asn from '@peculiar/asn1-x509'
import {
  createPrivateKey,
  generateKeyPairSync,
  hash,
  randomBytes,
  sign,
  X509Certificate,
  type KeyObject,
} from 'node:crypto'
import { isIP } from 'node:net'
import { authorityName, toCommonName } from './common-name.ts'

/** A certificate with its private key, both as PEM. */
export interface CertificatePair {
  readonly certificate: string
  readonly key: string
}

const DAY = 86_400_000
const AUTHORITY_DAYS = 3650
/** Phones refuse server certificates that are valid for longer than 398 days. */
const SERVER_DAYS = 390
/** Clocks of other devices may be behind. */
const BACKDATED = DAY

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'
const COMMON_NAME = '2.5.4.3'
const SERVER_AUTHENTICATION = '1.3.6.1.5.5.7.3.1'

/**
 * The only networks the authority may issue certificates for. Trusting it does not enable
 * impersonation of internet sites, even if the key is stolen.
 */
const PRIVATE_NETWORKS = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '127.0.0.0/8',
  'fc00::/7',
  '::1/128',
]

const toName = (commonName: string): asn.Name =>
  new asn.Name([
    new asn.RelativeDistinguishedName([
      new asn.AttributeTypeAndValue({
        type: COMMON_NAME,
        value: new asn.AttributeValue({ utf8String: commonName }),
      }),
    ]),
  ])

const toExtension = (extnID: string, value: unknown, critical = false): asn.Extension =>
  new asn.Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) })

const toPublicKeyInfo = (key: KeyObject): asn.SubjectPublicKeyInfo =>
  AsnConvert.parse(key.export({ type: 'spki', format: 'der' }), asn.SubjectPublicKeyInfo)

/** Returns the identifier of a key: the first 20 bytes of the hash of its public key. */
const toKeyId = ({ subjectPublicKey }: asn.SubjectPublicKeyInfo): OctetString =>
  new OctetString(hash('sha256', new Uint8Array(subjectPublicKey), 'buffer').subarray(0, 20))

const algorithm = (): asn.AlgorithmIdentifier =>
  new asn.AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 })

/** Always positive: the first bit of the number is its sign. */
function createSerial(): ArrayBuffer {
  const bytes = Uint8Array.from(randomBytes(16))
  bytes[0] = (bytes[0]! & 0x7f) | 0x40
  return bytes.buffer
}

interface Signing {
  readonly subject: asn.Name
  readonly issuer: asn.Name
  readonly days: number
  readonly publicKey: asn.SubjectPublicKeyInfo
  readonly signingKey: KeyObject
  readonly extensions: readonly asn.Extension[]
  readonly now: number
}

function signCertificate(signing: Signing): string {
  const { subject, issuer, days, publicKey, signingKey, extensions, now } = signing
  const body = new asn.TBSCertificate({
    version: asn.Version.v3,
    serialNumber: createSerial(),
    signature: algorithm(),
    issuer,
    validity: new asn.Validity({
      notBefore: new Date(now - BACKDATED),
      notAfter: new Date(now + days * DAY),
    }),
    subject,
    subjectPublicKeyInfo: publicKey,
    extensions: new asn.Extensions([...extensions]),
  })
  const signature = sign('sha256', new Uint8Array(AsnConvert.serialize(body)), signingKey)
  const certificate = new asn.Certificate({
    tbsCertificate: body,
    signatureAlgorithm: algorithm(),
    signatureValue: Uint8Array.from(signature).buffer,
  })
  return new X509Certificate(Buffer.from(AsnConvert.serialize(certificate))).toString()
}

const createKeys = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' })

const toPem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString()

const constrain = (names: readonly string[]): asn.NameConstraints =>
  new asn.NameConstraints({
    permittedSubtrees: new asn.GeneralSubtrees(
      [
        ...names.map((dNSName) => new asn.GeneralName({ dNSName })),
        ...PRIVATE_NETWORKS.map((iPAddress) => new asn.GeneralName({ iPAddress })),
      ].map((base) => new asn.GeneralSubtree({ base })),
    ),
  })

/**
 * Creates the authority that devices are asked to trust, limited to the names of this computer and
 * private networks.
 */
export function makeAuthority(names: readonly string[], now = Date.now()): CertificatePair {
  const { publicKey, privateKey } = createKeys()
  const info = toPublicKeyInfo(publicKey)
  const subject = toName(authorityName(names[0]!))
  const extensions = [
    toExtension(
      asn.id_ce_basicConstraints,
      new asn.BasicConstraints({ cA: true, pathLenConstraint: 0 }),
      true,
    ),
    toExtension(
      asn.id_ce_keyUsage,
      new asn.KeyUsage(asn.KeyUsageFlags.keyCertSign | asn.KeyUsageFlags.cRLSign),
      true,
    ),
    toExtension(asn.id_ce_nameConstraints, constrain(names), true),
    toExtension(asn.id_ce_subjectKeyIdentifier, new asn.SubjectKeyIdentifier(toKeyId(info))),
  ]
  const certificate = signCertificate({
    subject,
    issuer: subject,
    days: AUTHORITY_DAYS,
    publicKey: info,
    signingKey: privateKey,
    extensions,
    now,
  })
  return { certificate, key: toPem(privateKey) }
}

/** Creates the certificate of the listener, for names and addresses. */
export function makeServerCertificate(
  authority: CertificatePair,
  subjects: readonly string[],
  now = Date.now(),
): CertificatePair {
  const { publicKey, privateKey } = createKeys()
  const info = toPublicKeyInfo(publicKey)
  const issuer = AsnConvert.parse(new X509Certificate(authority.certificate).raw, asn.Certificate)
  const { subject, subjectPublicKeyInfo } = issuer.tbsCertificate
  const alternatives = subjects.map((name) =>
    isIP(name) === 0
      ? new asn.GeneralName({ dNSName: name })
      : new asn.GeneralName({ iPAddress: name }),
  )
  const extensions = [
    toExtension(asn.id_ce_basicConstraints, new asn.BasicConstraints({ cA: false }), true),
    toExtension(asn.id_ce_keyUsage, new asn.KeyUsage(asn.KeyUsageFlags.digitalSignature), true),
    toExtension(asn.id_ce_extKeyUsage, new asn.ExtendedKeyUsage([SERVER_AUTHENTICATION])),
    toExtension(asn.id_ce_subjectAltName, new asn.SubjectAlternativeName(alternatives)),
    toExtension(asn.id_ce_subjectKeyIdentifier, new asn.SubjectKeyIdentifier(toKeyId(info))),
    toExtension(
      asn.id_ce_authorityKeyIdentifier,
      new asn.AuthorityKeyIdentifier({
        keyIdentifier: new asn.KeyIdentifier(toKeyId(subjectPublicKeyInfo)),
      }),
    ),
  ]
  const certificate = signCertificate({
    subject: toName(toCommonName(subjects[0]!)),
    issuer: subject,
    days: SERVER_DAYS,
    publicKey: info,
    signingKey: createPrivateKey(authority.key),
    extensions,
    now,
  })
  return { certificate, key: toPem(privateKey) }
}

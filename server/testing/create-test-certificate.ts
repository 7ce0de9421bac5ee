import { createSign, generateKeyPairSync } from 'node:crypto'

/** Returns one DER value: tag, length, content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const length = content.length
  const head =
    length < 128
      ? [tag, length]
      : length < 256
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from(head), content])
}

const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const time = (date: Date): Buffer =>
  der(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))
const SHA256_WITH_ECDSA = der(0x30, oid('2a8648ce3d040302'))
const DAY = 86_400_000

/** Extension that allows signing other certificates. */
const OF_AUTHORITY = der(
  0xa3,
  der(
    0x30,
    der(
      0x30,
      oid('551d13'),
      der(0x01, Buffer.from([0xff])),
      der(0x04, der(0x30, der(0x01, Buffer.from([0xff])))),
    ),
  ),
)

function commonName(name: string): Buffer {
  return der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, Buffer.from(name)))))
}

interface TestCertificate {
  readonly name: string
  readonly key: string
  readonly cert: string
}

interface TestCertificateOptions {
  readonly name: string
  /** Days of validity from now, negative if expired. */
  readonly days: number
  /** Issuer; self-signed if absent. */
  readonly issuer?: TestCertificate
  readonly isAuthority?: boolean
}

/** Creates a certificate with its key. */
export function createTestCertificate(options: TestCertificateOptions): TestCertificate {
  const { issuer } = options
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const start = new Date(Date.now() - 60 * DAY)
  const end = new Date(Date.now() + options.days * DAY)
  const name = commonName(options.name)
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    SHA256_WITH_ECDSA,
    issuer ? commonName(issuer.name) : name,
    der(0x30, time(start), time(end)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(options.isAuthority ? [OF_AUTHORITY] : []),
  )
  const signature = createSign('sha256')
    .update(body)
    .sign(issuer ? issuer.key : privateKey)
  const certificate = der(0x30, body, SHA256_WITH_ECDSA, der(0x03, Buffer.from([0]), signature))
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return {
    name: options.name,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  }
}

import { createPrivateKey, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { createSecureContext } from 'node:tls'
import { badRequest } from '../lib/errors.ts'
import { computerName } from './addresses.ts'
import type { CertificatePair } from './make-certificate.ts'
import type { ShareStore } from './store.ts'

const DAY = 86_400_000
/** A certificate with less than this left is made anew. */
const RENEWED_BEFORE = 30 * DAY

const timeLeft = (certificate: X509Certificate): number =>
  certificate.validToDate.getTime() - Date.now()

const covers = (certificate: X509Certificate, subject: string): boolean =>
  (isIP(subject) === 0 ? certificate.checkHost(subject) : certificate.checkIP(subject)) !==
  undefined

/** Text of a PEM file, or the sentence that says what is wrong with it. */
function readCertificate(text: string): X509Certificate {
  try {
    return new X509Certificate(text)
  } catch (cause) {
    throw badRequest('This is no certificate. Give the text of its PEM file.', {
      code: 'invalid_certificate',
      cause,
    })
  }
}

function requireUsable({ certificate, key }: CertificatePair): void {
  const read = readCertificate(certificate)
  const fail = (sentence: string, cause?: unknown): never => {
    throw badRequest(sentence, { code: 'invalid_certificate', cause })
  }
  try {
    if (!read.checkPrivateKey(createPrivateKey(key)))
      fail('This key does not belong to the certificate.')
    createSecureContext({ cert: certificate, key })
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'ServiceError') throw cause
    fail('This is no private key. Give the text of its PEM file, without a password.', cause)
  }
  if (timeLeft(read) <= 0)
    fail(`This certificate ended on ${read.validToDate.toISOString().slice(0, 10)}.`)
}

/** The certificates devices of the network see: those the gateway makes, or one that was brought. */
export class Certificates {
  readonly #store: ShareStore

  constructor(store: ShareStore) {
    this.#store = store
  }

  /** The names of this computer in its network. */
  names(): string[] {
    return [`${computerName()}.local`, computerName()]
  }

  /** The certificate for some addresses; made or renewed when the one there is does not do. */
  async obtain(addresses: readonly string[]): Promise<CertificatePair> {
    const own = await this.#store.certificate('own')
    if (own) return own
    const subjects = [...this.names(), ...addresses]
    const authority = await this.#obtainAuthority()
    const kept = await this.#store.certificate('server')
    if (kept && this.#isGood(kept, { authority, subjects })) return kept
    const { makeServerCertificate } = await import('./make-certificate.ts')
    const made = makeServerCertificate(authority, subjects)
    await this.#store.putCertificate('server', made)
    return made
  }

  /** Why the certificate that was brought cannot be used any more, as a sentence; null when it can. */
  async fault(): Promise<string | null> {
    const own = await this.#store.certificate('own')
    if (!own) return null
    const read = new X509Certificate(own.certificate)
    return timeLeft(read) > 0
      ? null
      : `Your certificate ended on ${read.validToDate.toISOString().slice(0, 10)}. Bring a new one, or go back to the one the gateway makes.`
  }

  async bring(pair: CertificatePair): Promise<void> {
    requireUsable(pair)
    await this.#store.putCertificate('own', pair)
  }

  async drop(): Promise<void> {
    await this.#store.removeCertificate('own')
  }

  /** What devices may trust, as bytes; null while an own certificate is served, or none was made. */
  async authority(): Promise<Buffer | null> {
    if (await this.#store.certificate('own')) return null
    const kept = await this.#store.certificate('authority')
    return kept && new X509Certificate(kept.certificate).raw
  }

  async describe() {
    const own = await this.#store.certificate('own')
    const pair = own ?? (await this.#store.certificate('server'))
    if (!pair) return null
    const { fingerprint256, validToDate } = new X509Certificate(pair.certificate)
    const authority = own ? null : await this.#store.certificate('authority')
    return {
      fingerprint: fingerprint256,
      ends_at: Math.floor(validToDate.getTime() / 1000),
      own: own !== null,
      authority_fingerprint: authority && new X509Certificate(authority.certificate).fingerprint256,
    }
  }

  /** Devices that trust it should not have to do so again, so it is kept as long as it can be. */
  async #obtainAuthority(): Promise<CertificatePair> {
    const kept = await this.#store.certificate('authority')
    const [name] = this.names()
    if (kept) {
      const read = new X509Certificate(kept.certificate)
      const isOfThisName = read.subject === `CN=Chat Gateway on ${name}`
      if (isOfThisName && timeLeft(read) > 400 * DAY) return kept
    }
    const { makeAuthority } = await import('./make-certificate.ts')
    const made = makeAuthority(this.names())
    await this.#store.putCertificate('authority', made)
    return made
  }

  #isGood(
    { certificate }: CertificatePair,
    { authority, subjects }: { authority: CertificatePair; subjects: readonly string[] },
  ): boolean {
    const read = new X509Certificate(certificate)
    return (
      timeLeft(read) > RENEWED_BEFORE &&
      read.verify(new X509Certificate(authority.certificate).publicKey) &&
      subjects.every((subject) => covers(read, subject))
    )
  }
}

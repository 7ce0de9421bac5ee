// Certificates the gateway trusts for outgoing TLS connections: the authorities of Node and of the
// system, those an administrator adds, and for one connection the one certificate chosen for it.
import { X509Certificate } from 'node:crypto'
import type * as Tls from 'node:tls'
import type { SecureContext, TLSSocket } from 'node:tls'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g

/** Returns the certificates of a PEM text; null if one of them is invalid. */
export function readCertificates(text: string): string[] | null {
  const found = text.match(CERTIFICATE) ?? []
  if (text.replaceAll(CERTIFICATE, '').trim() !== '') return null
  try {
    for (const each of found) new X509Certificate(each)
    return found
  } catch {
    return null
  }
}

const added = new Set<readonly string[]>()
let context: SecureContext | null = null

/** Trusts additional authorities from now on; returns a function that ends this. */
export function trustAuthorities(certificates: readonly string[]): () => void {
  added.add(certificates)
  context = null
  return () => {
    added.delete(certificates)
    context = null
  }
}

/** Returns the authorities Node trusts by default; older versions list only the bundled ones. */
const usual = (tls: typeof Tls): readonly string[] =>
  typeof tls.getCACertificates === 'function' ? tls.getCACertificates() : tls.rootCertificates

/**
 * Returns additional options for opening TLS connections: none while no authority was added.
 * Created once, because reading all authorities takes some milliseconds.
 */
export function trustOptions(tls: typeof Tls): { readonly secureContext?: SecureContext } {
  const own = [...added].flat()
  if (own.length === 0) return {}
  context ??= tls.createSecureContext({ ca: [...usual(tls), ...own] })
  return { secureContext: context }
}

/** Verification errors that the choice of one certificate overrides. Expiry is not among them. */
const SETTLED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

export class CertificateError extends Error {
  override readonly name = 'CertificateError'
  readonly code: string

  constructor(code: string) {
    super(`The certificate is not trusted (${code}).`)
    this.code = code
  }
}

export const normalFingerprint = (text: string): string =>
  text.replaceAll(':', '').trim().toUpperCase()

/**
 * Returns the reason why a connection opened without verification must not be used; null if its
 * certificate is trusted, or is the chosen one and has not expired.
 */
export function judgePeer(socket: TLSSocket, chosen: string): CertificateError | null {
  const doubt = socket.authorizationError as unknown as Error | string | null | undefined
  if (socket.authorized || !doubt) return null
  const code = String((doubt as { code?: string }).code ?? doubt)
  const peer = socket.getPeerX509Certificate()
  if (!peer) return new CertificateError(code)
  if (normalFingerprint(peer.fingerprint256) !== normalFingerprint(chosen))
    return new CertificateError(code)
  const now = Date.now()
  if (Date.parse(peer.validTo) < now) return new CertificateError('CERT_HAS_EXPIRED')
  if (Date.parse(peer.validFrom) > now) return new CertificateError('CERT_NOT_YET_VALID')
  return SETTLED.has(code) ? null : new CertificateError(code)
}

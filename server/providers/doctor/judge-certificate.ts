import type { DoctorFinding, DoctorMend } from '#contract/doctor.ts'
import { normalFingerprint } from '../../lib/outgoing/trust.ts'
import { bad, good, look } from './finding.ts'
import type { CertificateView, Place } from './reach.ts'

const SOON = 14 * 86_400_000
const toDay = (date: Date): string => date.toISOString().slice(0, 10)

/** Returns the same URL with another host name. */
function under(address: string, name: string): string {
  const url = new URL(address)
  url.hostname = name.includes(':') ? `[${name}]` : name
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

const withScheme = (address: string, scheme: 'http' | 'https'): string =>
  address.replace(/^https?:/i, `${scheme}:`)

/** Returns the finding for an http URL of a server that requires a secure connection. */
export const wantsSecurity = (address: string): DoctorFinding =>
  bad('certificate', {
    code: 'wants_https',
    text: 'The server wants a secure connection, but the address begins with http://.',
    advice: 'Begin the address with https://.',
    mends: [{ kind: 'address', url: withScheme(address, 'https') }],
  })

/**
 * Offers to trust a certificate, for a user who compares its fingerprint with that of the server.
 */
const offerTrust = (view: CertificateView): DoctorMend => ({
  kind: 'trust',
  fingerprint: view.fingerprint,
  subject: view.subject,
  issuer: view.issuer,
  valid_to: view.validTo.getTime(),
})

function judgeNames(address: string, { host }: Place, view: CertificateView): DoctorFinding {
  const names = view.names.filter((name) => !name.startsWith('*')).slice(0, 3)
  const known = view.names.length === 0 ? 'another name' : view.names.slice(0, 3).join(', ')
  return bad('certificate', {
    code: 'certificate_of_another',
    text: `The certificate is for ${known}, not for ${host}.`,
    advice:
      'Call the server by a name that is in its certificate, or have the certificate renewed for this name.',
    mends: [
      ...names.map((name) => ({ kind: 'address', url: under(address, name) }) as const),
      offerTrust(view),
    ],
  })
}

function judgeTrust(view: CertificateView): DoctorFinding {
  const { distrust, issuer } = view
  if (distrust === 'DEPTH_ZERO_SELF_SIGNED_CERT')
    return bad('certificate', {
      code: 'certificate_self_signed',
      text: 'The server made its certificate itself, so nobody vouches for it.',
      advice:
        'Compare the fingerprint with the one the server shows, and trust it for this connection; or give the server a certificate of an authority.',
      mends: [offerTrust(view)],
    })
  return bad('certificate', {
    code: 'certificate_not_trusted',
    text: `The certificate comes from ${issuer || 'an authority'}, whom the gateway does not trust.`,
    advice:
      'Add the certificate of that authority under Settings → Gateway → Network, have the server send its whole chain, or trust this one certificate for this connection.',
    mends: [offerTrust(view)],
  })
}

/** Judges a certificate. An expired date is reported first, because it explains other faults. */
export function judgeCertificate(
  address: string,
  { place, chosen = null }: { readonly place: Place; readonly chosen?: string | null },
  view: CertificateView,
): DoctorFinding {
  const now = Date.now()
  if (view.validTo.getTime() < now)
    return bad('certificate', {
      code: 'certificate_expired',
      text: `The certificate ran out on ${toDay(view.validTo)}.`,
      advice: "It has to be renewed at the server. Also check the clock of the gateway's computer.",
    })
  if (view.validFrom.getTime() > now)
    return bad('certificate', {
      code: 'certificate_early',
      text: `The certificate is valid only from ${toDay(view.validFrom)}.`,
      advice: "Check the clocks of the gateway's computer and of the server.",
    })
  const isDoubted = !view.belongsToHost || view.distrust !== null
  const isChosen =
    chosen !== null && normalFingerprint(chosen) === normalFingerprint(view.fingerprint)
  if (isDoubted && isChosen)
    return good(
      'certificate',
      'certificate_chosen',
      `The certificate is the one that was chosen for this connection, and valid until ${toDay(view.validTo)}.`,
    )
  if (!view.belongsToHost) return judgeNames(address, place, view)
  if (view.distrust !== null) return judgeTrust(view)
  const text = `The certificate is trusted and valid until ${toDay(view.validTo)}.`
  if (view.validTo.getTime() < now + SOON)
    return look('certificate', {
      code: 'certificate_ends_soon',
      text,
      advice: 'It has to be renewed at the server soon.',
    })
  return good('certificate', 'certificate', text)
}

/** Judges a server that does not speak TLS, or broke off the handshake. */
export function judgeBrokenHandshake(address: string, fault: string): DoctorFinding {
  const isPlain = fault === 'EPROTO' || fault === 'ECONNRESET' || fault.startsWith('ERR_SSL')
  return bad('certificate', {
    code: isPlain ? 'not_secure' : 'handshake_failed',
    text: isPlain
      ? 'The server does not speak https there.'
      : 'A secure connection did not come about in time.',
    advice: "If it is on the gateway's computer or in your own network, try http://.",
    mends: [{ kind: 'address', url: withScheme(address, 'http') }],
  })
}

import { CONNECTION_KINDS, type ConnectionKind } from '#contract/connection-kinds.ts'
import type { DoctorFinding } from '#contract/doctor.ts'
import { isPrivateHost } from '../../lib/outgoing/host-address.ts'
import { bad, good, type Found } from './finding.ts'

const SCHEME = /^([a-z][a-z\d+.-]*):\/\//i
/** Wildcard addresses; a server listening on them is called at a specific address. */
const EVERY_ADDRESS = new Set(['0.0.0.0', '[::]'])

const fault = (found: Found): DoctorFinding => bad('address', found)

/**
 * Returns true for hosts nearby, including names without a dot; these rarely have a certificate.
 */
const isNear = (host: string): boolean =>
  isPrivateHost(host) || !host.includes('.') || /\.(local|lan|home|internal)$/i.test(host)

function withScheme(text: string): string | null {
  const bare = text.replace(/^[/:]+/, '')
  const guess = URL.parse(`http://${bare}`)
  if (!guess || /\s/.test(text)) return null
  return `${isNear(guess.hostname) ? 'http' : 'https'}://${bare}`
}

function judgeScheme(text: string): DoctorFinding | null {
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase()
  if (scheme === 'http' || scheme === 'https') return null
  const url = withScheme(text.replace(SCHEME, ''))
  const mends = url === null ? [] : [{ kind: 'address', url } as const]
  if (scheme === undefined)
    return fault({
      code: 'no_scheme',
      text: 'The address does not begin with http:// or https://.',
      advice: 'Put it before the address.',
      mends,
    })
  return fault({
    code: 'wrong_scheme',
    text: `The address begins with ${scheme}://, which no server of models speaks.`,
    advice: 'Use http:// or https://.',
    mends,
  })
}

const toBase = (url: URL): string => `${url.origin}${url.pathname.replace(/\/+$/, '')}`

function judgeParts(url: URL, kind: ConnectionKind): DoctorFinding | null {
  const mend = (address: string) => [{ kind: 'address', url: address } as const]
  if (url.username !== '' || url.password !== '')
    return fault({
      code: 'secret_in_address',
      text: 'A name or password stands inside the address.',
      advice: 'Put the key into its own field, where it is kept encrypted.',
      mends: mend(toBase(url)),
    })
  if (url.search !== '' || url.hash !== '')
    return fault({
      code: 'question_in_address',
      text: 'The address goes on after a ? or #, which a base address never does.',
      advice: 'Leave that part out.',
      mends: mend(toBase(url)),
    })
  const base = toBase(url)
  const shorter = base.replace(CONNECTION_KINDS[kind].calls, '')
  if (shorter !== base)
    return fault({
      code: 'call_in_address',
      text: 'The address is that of one call, not of the server.',
      advice: 'Leave the end out; the gateway adds it itself.',
      mends: mend(shorter),
    })
  if (EVERY_ADDRESS.has(url.hostname)) {
    const port = url.port && `:${url.port}`
    return fault({
      code: 'every_address',
      text: `${url.hostname} is what a server listens on, not where it is called.`,
      advice: "Use 127.0.0.1 for the gateway's computer.",
      mends: mend(`${url.protocol}//127.0.0.1${port}${url.pathname.replace(/\/+$/, '')}`),
    })
  }
  return null
}

/** Judges whether a text is the base URL of a server, and suggests the intended one. */
export function readTypedAddress(text: string, kind: ConnectionKind): DoctorFinding {
  const wrongScheme = judgeScheme(text)
  if (wrongScheme) return wrongScheme
  const url = URL.parse(text)
  if (!url || url.hostname === '')
    return fault({
      code: 'not_an_address',
      text: 'This is not an address.',
      advice: 'Write it like https://provider.example/v1 or http://127.0.0.1:11434.',
    })
  return judgeParts(url, kind) ?? good('address', 'address', 'The address is complete.')
}

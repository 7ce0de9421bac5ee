import { isIP } from 'node:net'
import { badRequest, type ServiceError } from '../errors.ts'
import { isPublicAddress } from './public-address.ts'

/** Addresses an administrator allows in addition to the public internet. */
export interface AddressPolicy {
  /** Hosts with or without a port, as in `wiki.local` or `10.0.0.5:8080`. */
  readonly allowedHosts: readonly string[]
  /** True to allow this computer and its whole network. */
  readonly allowLocal: boolean
}

const LONGEST_ADDRESS = 8192
// oxlint-disable-next-line no-control-regex -- other URL parsers treat these characters differently
const AMBIGUOUS = /[\u0000-\u001f\u007f\\]/
const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa|localdomain)$/

const withoutDot = (host: string): string => host.replace(/\.$/, '')
const withoutBrackets = (host: string): string => (host.startsWith('[') ? host.slice(1, -1) : host)

/**
 * Returns the same error for everything that is not public, so that it reveals nothing about the
 * network.
 */
export const refuseAddress = (cause?: unknown): ServiceError =>
  badRequest(
    'This address is not on the public internet, so it is not fetched. An administrator can allow its host in WEB_FETCH_ALLOWED_HOSTS.',
    { code: 'address_refused', cause },
  )

/** Returns true if the host of a URL is listed, with or without its port. */
export function isAllowedHost(
  { allowedHosts, allowLocal }: AddressPolicy,
  { protocol, hostname, port }: URL,
): boolean {
  if (allowLocal) return true
  const wantedPort = port || (protocol === 'https:' ? '443' : '80')
  return allowedHosts.some((entry) => {
    const listed = URL.parse(`http://${entry}`)
    if (!listed || withoutDot(listed.hostname) !== withoutDot(hostname)) return false
    // The URL parser leaves out port 80, which may have been specified.
    const listedPort = listed.port || (/:0*80$/.test(entry) ? '80' : '')
    return listedPort === '' || listedPort === wantedPort
  })
}

/**
 * Parses a URL given by a user or another server, as it will be dialled; throws 400 with a message
 * for URLs that are not fetched: other schemes, embedded credentials, spellings on which parsers
 * disagree, and hosts that are not public. Names that are not known to be local are resolved when
 * they are dialled, and checked then.
 */
export function readGuardedAddress(text: string, policy: AddressPolicy): URL {
  const trimmed = text.trim()
  const url =
    trimmed.length <= LONGEST_ADDRESS && !AMBIGUOUS.test(trimmed) ? URL.parse(trimmed) : null
  if (!url || url.hostname === '')
    throw badRequest('This is not a web address. It has to begin with https:// or http://.')
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw badRequest('Only addresses that begin with https:// or http:// are fetched.')
  if (url.username !== '' || url.password !== '')
    throw badRequest('An address with a user name or password in it is not fetched.')
  // Two consecutive dots are not valid in a name, and parsers disagree on their meaning.
  if (/\.\.|^\./.test(url.hostname))
    throw badRequest('This is not a web address: its host has an empty part.')
  if (isAllowedHost(policy, url)) return url
  const host = withoutDot(withoutBrackets(url.hostname)).toLowerCase()
  if (isIP(host) === 0 ? LOCAL_NAME.test(host) || !host.includes('.') : !isPublicAddress(host))
    throw refuseAddress()
  return url
}

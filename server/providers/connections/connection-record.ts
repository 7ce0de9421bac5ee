import type { Connection, ConnectionInput } from '#contract/connections.ts'
import { badRequest } from '../../lib/errors.ts'
import { isLoopbackHost, isPrivateHost } from '../../lib/outgoing/host-address.ts'
import type { Detour } from '../../lib/outgoing/proxy-route.ts'
import { maskHeaders, secretValuesOf, unmaskHeaders } from '../../lib/outgoing/secret-headers.ts'

/** Connection with its secrets, for use inside the gateway. */
export interface ConnectionRecord extends Pick<
  Connection,
  | 'id'
  | 'kind'
  | 'name'
  | 'url'
  | 'enabled'
  | 'prefix_id'
  | 'model_ids'
  | 'headers'
  | 'timeout_seconds'
  | 'connection_type'
  | 'access'
  | 'use_proxy'
  | 'trusted_certificate'
  | 'origin'
  | 'overridden'
> {
  readonly key: string | null
  /**
   * True when stored secrets could not be read, because they were written under another root
   * secret.
   */
  readonly isLocked: boolean
}

/** Headers that belong to the transport or would reveal a browser's identity to the upstream. */
const OWN_HEADERS = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const KEY_PATTERN = /^[\x21-\x7e]*$/

export const hostOf = (record: Pick<ConnectionRecord, 'url'>): string =>
  new URL(record.url).hostname

/** Returns the host and port to which its calls are sent. */
export function targetOf({ url }: Pick<ConnectionRecord, 'url'>): { host: string; port: number } {
  const { hostname, port, protocol } = new URL(url)
  return { host: hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80) }
}

/** Returns the type set by an administrator, otherwise `local` if prompts stay on this computer. */
export const typeOf = (
  record: Pick<ConnectionRecord, 'url' | 'connection_type'>,
): 'local' | 'external' =>
  record.connection_type ?? (isLoopbackHost(hostOf(record)) ? 'local' : 'external')

/** Returns the route of a connection, if it differs from that of all others. */
export const detourOf = ({
  use_proxy: useProxy,
  trusted_certificate: trustedCertificate,
}: Pick<ConnectionRecord, 'use_proxy' | 'trusted_certificate'>): Detour => ({
  useProxy,
  trustedCertificate,
})

/** Returns true if a connection may be contacted while the gateway is offline. */
export const isNearby = (record: Pick<ConnectionRecord, 'url'>): boolean =>
  isPrivateHost(hostOf(record))

/**
 * Parses a base URL and removes trailing slashes; throws 400 if it is invalid or contains a
 * password.
 */
export function parseAddress(text: string): string {
  const url = URL.parse(text.trim())
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '')
    throw badRequest(`${JSON.stringify(text)} is not an address.`)
  if (url.username !== '' || url.password !== '')
    throw badRequest('Put the key into its own field, not into the address.')
  if (url.search !== '' || url.hash !== '')
    throw badRequest('The address may not contain "?" or "#".')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

function mergeHeaders(
  given: Record<string, string>,
  stored: Record<string, string>,
): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [rawName, value] of Object.entries(given)) {
    const name = rawName.toLowerCase()
    if (OWN_HEADERS.has(name))
      throw badRequest(`The header "${rawName}" is set by the gateway itself.`)
    headers[name] = value.trim()
  }
  return unmaskHeaders(headers, stored)
}

/**
 * Creates a record from an administrator's input; an absent key and masked header values are taken
 * from `stored`.
 */
export function toRecord(
  input: ConnectionInput,
  id: string,
  stored: ConnectionRecord | null,
): ConnectionRecord {
  const key = input.key === undefined ? (stored?.key ?? null) : input.key.trim()
  if (key !== null && !KEY_PATTERN.test(key))
    throw badRequest('The key contains characters that no key has. Copy it again.')
  return {
    id,
    kind: input.kind,
    name: input.name,
    url: parseAddress(input.url),
    enabled: input.enabled,
    prefix_id: input.prefix_id,
    model_ids: [...new Set(input.model_ids)],
    headers: mergeHeaders(input.headers, stored?.headers ?? {}),
    timeout_seconds: input.timeout_seconds,
    connection_type:
      input.connection_type === undefined
        ? (stored?.connection_type ?? null)
        : input.connection_type,
    access: input.access ?? stored?.access ?? 'granted',
    use_proxy: input.use_proxy ?? stored?.use_proxy ?? true,
    trusted_certificate:
      input.trusted_certificate === undefined
        ? (stored?.trusted_certificate ?? null)
        : input.trusted_certificate,
    origin: 'stored',
    overridden: [],
    key: key === '' ? null : key,
    isLocked: input.key === undefined && (stored?.isLocked ?? false),
  }
}

/** Connection to the bundled runtime. */
export const BUILT_IN_RUNTIME: ConnectionRecord = {
  id: 'built-in-runtime',
  kind: 'runtime',
  name: 'Built-in runtime',
  url: 'http://127.0.0.1',
  enabled: true,
  prefix_id: '',
  model_ids: [],
  headers: {},
  timeout_seconds: 600,
  connection_type: 'local',
  access: 'granted',
  use_proxy: true,
  trusted_certificate: null,
  origin: 'built-in',
  overridden: [],
  key: null,
  isLocked: false,
}

/** Returns the texts of a connection that must not appear in any error. */
export function secretsOf(record: Pick<ConnectionRecord, 'key' | 'headers'>): string[] {
  const values = secretValuesOf(record.headers)
  return record.key === null ? values : [record.key, ...values]
}

const keyHint = (key: string): string =>
  key.length < 12 ? '…' : `${key.slice(0, 3)}…${key.slice(-4)}`

/**
 * Returns the parts of a connection visible to administrators: no key, and no header value that
 * could be one.
 */
export function describeRecord(record: ConnectionRecord, state: Connection['state']): Connection {
  const { key, isLocked: _, ...shown } = record
  return {
    ...shown,
    headers: maskHeaders(record.headers),
    has_key: key !== null,
    key_hint: key === null ? null : keyHint(key),
    state,
  }
}

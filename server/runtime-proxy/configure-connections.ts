import {
  connectionInputSchema,
  type Connection,
  type ConnectionInput,
} from '#contract/connections.ts'
import type { ConnectionConfigs } from '#contract/runtime-proxy.ts'
import { badRequest } from '../lib/errors.ts'
import { isLoopbackHost } from '../lib/outgoing/host-address.ts'
import { parseInput } from '../lib/serving/parse-input.ts'
import type { Connections } from '../providers/index.ts'
import type { ProxiedKind } from './targets.ts'

/** Placeholder for a hidden key; sent back, it keeps the stored key. */
export const KEY_MASK = '********'
const FIRST_BYTE_SECONDS: Record<ProxiedKind, number> = { runtime: 120, compatible: 60 }

/**
 * Connections of a kind as configuration scripts exchange them: URLs in order, and options by
 * position.
 */
export interface ListedConnections {
  readonly urls: string[]
  readonly keys: string[]
  readonly configs: ConnectionConfigs
}

/** Connections requested by a script; undefined fields stay unchanged. */
export interface WantedConnections {
  readonly urls?: readonly string[]
  readonly keys?: readonly string[]
  readonly configs?: ConnectionConfigs
}

type ConnectionParts = Connections

const maskOf = ({ has_key: hasKey }: Connection): string => (hasKey ? KEY_MASK : '')

const typeOf = ({ url, connection_type: type }: Connection): 'local' | 'external' =>
  type ?? (isLoopbackHost(new URL(url).hostname) ? 'local' : 'external')

const toConfig = (connection: Connection): ConnectionConfigs[string] => ({
  enable: connection.enabled,
  key: maskOf(connection),
  prefix_id: connection.prefix_id,
  model_ids: connection.model_ids,
  headers: connection.headers,
  tags: [],
  connection_type: typeOf(connection),
})

const ofKind = async (connections: ConnectionParts, kind: ProxiedKind): Promise<Connection[]> =>
  (await connections.list()).filter(
    (connection) => connection.kind === kind && connection.origin !== 'built-in',
  )

export async function listConnections(
  connections: ConnectionParts,
  kind: ProxiedKind,
): Promise<ListedConnections> {
  const rows = await ofKind(connections, kind)
  return {
    urls: rows.map(({ url }) => url),
    keys: rows.map(maskOf),
    configs: Object.fromEntries(rows.map((row, place) => [String(place), toConfig(row)])),
  }
}

/** Returns a URL in normalised form, without a trailing slash. */
const toPlain = (address: string): string =>
  (URL.parse(address.trim())?.href ?? address.trim()).replace(/\/+$/, '')

const sameAddress = (left: string, right: string): boolean => toPlain(left) === toPlain(right)

/** Older scripts key the options by URL instead of position. */
const configAt = (
  configs: ConnectionConfigs | undefined,
  place: number,
  url: string,
): ConnectionConfigs[string] => configs?.[String(place)] ?? configs?.[url] ?? {}

interface Row {
  readonly url: string
  readonly key: string | undefined
  readonly config: ConnectionConfigs[string]
  readonly current: Connection | null
}

/** Supported sign-in methods at a provider: a key, or none. */
const KNOWN_SIGN_INS: readonly unknown[] = [undefined, null, '', 'bearer', 'none']

/**
 * Refuses unsupported options instead of ignoring them if the connection would otherwise behave
 * differently than its script expects.
 */
function requireKept({ azure, auth_type: signIn }: ConnectionConfigs[string]): void {
  if (azure === true)
    throw badRequest(
      'Connections with "azure" are not supported. Use the address of a chat-completions API.',
    )
  if (!KNOWN_SIGN_INS.includes(signIn))
    throw badRequest(
      'The "auth_type" of a connection is "bearer" or "none". Put other credentials into its headers.',
    )
}

/**
 * A value that is only repeated from a response of this API is ignored, so that the URL decides.
 */
function toWantedType(
  { connection_type: wanted }: ConnectionConfigs[string],
  current: Connection | null,
): Connection['connection_type'] {
  if (wanted == null || (current && wanted === typeOf(current)))
    return current?.connection_type ?? null
  return wanted
}

function toInput(kind: ProxiedKind, { url, key, config, current }: Row): ConnectionInput {
  requireKept(config)
  const givenKey = key ?? config.key
  const input = {
    kind,
    // As written in the environment, so that a trailing slash is no change.
    url: current?.url ?? url,
    name: current?.name ?? (URL.parse(url)?.hostname || url).slice(0, 100),
    enabled: config.enable ?? current?.enabled ?? true,
    prefix_id: config.prefix_id ?? current?.prefix_id ?? '',
    model_ids: config.model_ids ?? current?.model_ids ?? [],
    headers: config.headers ?? current?.headers ?? {},
    timeout_seconds: current?.timeout_seconds ?? FIRST_BYTE_SECONDS[kind],
    connection_type: toWantedType(config, current),
    ...(givenKey !== undefined && givenKey !== KEY_MASK && { key: givenKey }),
  }
  return parseInput(connectionInputSchema, input, 'body') as ConnectionInput
}

/** Pairs requested URLs with existing connections, each at most once. */
function pair(wanted: WantedConnections, rows: readonly Connection[]): Row[] {
  const left = [...rows]
  const urls = wanted.urls ?? rows.map(({ url }) => url)
  return urls.map((url, place) => {
    const found = left.findIndex((row) => sameAddress(url, row.url))
    const [current] = found === -1 ? [] : left.splice(found, 1)
    return {
      url,
      key: wanted.keys?.[place],
      config: configAt(wanted.configs, place, url),
      current: current ?? null,
    }
  })
}

const OPTIONS = ['enabled', 'prefix_id', 'model_ids', 'headers', 'connection_type'] as const

/** Reports whether a script changes a connection. */
const isChange = (current: Connection, input: ConnectionInput): boolean =>
  Boolean(input.key) ||
  OPTIONS.some((option) => JSON.stringify(current[option]) !== JSON.stringify(input[option]))

/**
 * An automatically detected runtime is replaced by a stored connection as soon as one of its
 * properties is changed.
 */
async function change(
  connections: ConnectionParts,
  current: Connection,
  input: ConnectionInput,
): Promise<void> {
  if (current.origin !== 'found') await connections.update(current.id, input)
  else if (isChange(current, input)) await connections.create(input)
}

/**
 * Replaces the connections of a kind by the requested ones. Connections from the environment or
 * detected on the computer cannot be removed here.
 */
export async function replaceConnections(
  connections: ConnectionParts,
  kind: ProxiedKind,
  wanted: WantedConnections,
): Promise<void> {
  const rows = await ofKind(connections, kind)
  const paired = pair(wanted, rows)
  // All of them are validated before any is changed.
  const inputs = paired.map((row) => ({ current: row.current, input: toInput(kind, row) }))
  const kept = new Set(paired.flatMap(({ current }) => current?.id ?? []))
  const gone = rows.filter(({ id }) => !kept.has(id))
  const fixed = gone.find(({ origin }) => origin === 'environment')
  if (fixed)
    throw badRequest(
      `The connection "${fixed.name}" comes from the environment. Switch it off with "enable": false, or remove it there.`,
    )
  for (const { current, input } of inputs) {
    if (current === null) await connections.create(input)
    else await change(connections, current, input)
  }
  for (const row of gone) if (row.origin === 'stored') await connections.remove(row.id)
}

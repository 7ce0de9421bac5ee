import { CONNECTION_KIND_NAMES, type ConnectionKind } from '#contract/connection-kinds.ts'
import type { LocalRuntime } from '#contract/connections.ts'
import type { Environment } from '../../config/env.ts'
import { newId } from '../../lib/ids.ts'
import { toRecord } from './connection-record.ts'
import { PROVIDER_KINDS } from '../kinds.ts'
import type { ConnectionPolicy } from './live-connection.ts'
import { verifyConnection } from './verify-connection.ts'

/** Time limit for a local program to list its models. */
const PROBE_MILLISECONDS = 1500
const MOST_PORTS = 32

/** Programs by their default port. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [1234, 'LM Studio'],
  [1337, 'Jan'],
  [4891, 'GPT4All'],
  [5001, 'KoboldCpp'],
  [11_434, 'Ollama'],
])
/** Ports without a name are shared by several programs. */
const USUAL_PORTS = [...NAMES.keys(), 8000, 8080, 30_000]

/**
 * Returns the ports named by `LOCAL_RUNTIME_PORTS`, otherwise the default ones; an empty value
 * names none.
 */
export function readRuntimePorts(environment: Environment): readonly number[] {
  const value = environment['LOCAL_RUNTIME_PORTS']
  if (value === undefined) return USUAL_PORTS
  const ports = value.split(/[\s,;]+/).map(Number)
  return [
    ...new Set(ports.filter((port) => Number.isInteger(port) && port > 0 && port < 65_536)),
  ].slice(0, MOST_PORTS)
}

/** Returns the port of a local URL; null for every other URL. */
function toLocalPort(text: string): number | null {
  const url = URL.parse(text)
  if (!url || !/^(127(\.\d+){3}|localhost|\[::1\])$/.test(url.hostname)) return null
  return Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
}

/** Returns the base URLs under which a program at an origin may serve models, by kind. */
export const localAddresses = (
  origin: string,
): { readonly kind: ConnectionKind; readonly url: string }[] =>
  CONNECTION_KIND_NAMES.flatMap((kind) => {
    const { localPath } = PROVIDER_KINDS[kind]
    return localPath === null ? [] : [{ kind, url: origin + localPath }]
  })

async function probe(
  port: number,
  { policy, nameOf }: Search,
  signal: AbortSignal,
): Promise<LocalRuntime | null> {
  const name = nameOf(port) ?? NAMES.get(port) ?? `Port ${port}`
  for (const { kind, url } of localAddresses(`http://127.0.0.1:${port}`)) {
    const record = toRecord(
      {
        kind,
        name,
        url,
        enabled: true,
        prefix_id: '',
        model_ids: [],
        headers: {},
        timeout_seconds: 1,
      },
      newId(),
      null,
    )
    const { ok, models } = await verifyConnection(record, policy, signal)
    if (ok && models.length > 0) return { kind, name, url, model_count: models.length }
  }
  return null
}

interface Search {
  readonly ports: readonly number[]
  /** URLs of existing connections; programs at these URLs are not offered again. */
  readonly known: readonly string[]
  readonly policy: ConnectionPolicy
  /** Returns the name of the program configured for a port. */
  readonly nameOf: (port: number) => string | null
  readonly signal: AbortSignal
}

/** Searches the ports of this computer, and no other host, for programs that serve models. */
export async function findLocalRuntimes(search: Search): Promise<LocalRuntime[]> {
  const taken = new Set(search.known.map(toLocalPort))
  const signal = AbortSignal.any([search.signal, AbortSignal.timeout(PROBE_MILLISECONDS)])
  const found = await Promise.all(
    search.ports.filter((port) => !taken.has(port)).map((port) => probe(port, search, signal)),
  )
  return found.filter((runtime) => runtime !== null)
}

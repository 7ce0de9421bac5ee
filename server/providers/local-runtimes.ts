import type { ConnectionKind, LocalRuntime } from '#contract/connections.ts'
import type { Environment } from '../config/env.ts'
import { newId } from '../lib/ids.ts'
import { toRecord } from './connection-record.ts'
import type { ConnectionPolicy } from './live-connection.ts'
import { verifyConnection } from './verify-connection.ts'

/** How long a program on this computer may take to list its models. */
const PROBE_MILLISECONDS = 1500
const MOST_PORTS = 32

/** Programs by the port they listen on unless told otherwise. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [1234, 'LM Studio'],
  [1337, 'Jan'],
  [4891, 'GPT4All'],
  [5001, 'KoboldCpp'],
  [11_434, 'Ollama'],
])
/** Several programs share some of the ports, so those go without a name. */
const USUAL_PORTS = [...NAMES.keys(), 8000, 8080, 30_000]

/** The ports named by `LOCAL_RUNTIME_PORTS`, else the usual ones; an empty value names none. */
export function readRuntimePorts(environment: Environment): readonly number[] {
  const value = environment['LOCAL_RUNTIME_PORTS']
  if (value === undefined) return USUAL_PORTS
  const ports = value.split(/[\s,;]+/).map(Number)
  return [
    ...new Set(ports.filter((port) => Number.isInteger(port) && port > 0 && port < 65_536)),
  ].slice(0, MOST_PORTS)
}

/** The port of an address on this computer; null for every other address. */
function toLocalPort(text: string): number | null {
  const url = URL.parse(text)
  if (!url || !/^(127(\.\d+){3}|localhost|\[::1\])$/.test(url.hostname)) return null
  return Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
}

async function probe(
  port: number,
  { policy, nameOf }: Search,
  signal: AbortSignal,
): Promise<LocalRuntime | null> {
  const name = nameOf(port) ?? NAMES.get(port) ?? `Port ${port}`
  const kinds: [ConnectionKind, string][] = [
    ['runtime', `http://127.0.0.1:${port}`],
    ['compatible', `http://127.0.0.1:${port}/v1`],
  ]
  for (const [kind, url] of kinds) {
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
  /** Addresses of connections there are; programs behind them are not offered again. */
  readonly known: readonly string[]
  readonly policy: ConnectionPolicy
  /** The program that is set to a port of its own. */
  readonly nameOf: (port: number) => string | null
  readonly signal: AbortSignal
}

/** Asks the ports of this computer, and no other address, for programs that serve models. */
export async function findLocalRuntimes(search: Search): Promise<LocalRuntime[]> {
  const taken = new Set(search.known.map(toLocalPort))
  const signal = AbortSignal.any([search.signal, AbortSignal.timeout(PROBE_MILLISECONDS)])
  const found = await Promise.all(
    search.ports.filter((port) => !taken.has(port)).map((port) => probe(port, search, signal)),
  )
  return found.filter((runtime) => runtime !== null)
}

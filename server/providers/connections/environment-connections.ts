import { mapInOrder } from '../../lib/in-order.ts'
import type { Environment } from '../../config/env.ts'
import { badRequest } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import { hostOf, parseAddress, typeOf, type ConnectionRecord } from './connection-record.ts'
import { applyOverride, nameOverrides, toOverride } from './override-connection.ts'
import type { OverrideStore } from './override-store.ts'

/** Default URL of a local runtime. */
const USUAL_RUNTIME_URL = 'http://127.0.0.1:11434'
/** Default URL for a key without a URL, as clients of this wire format expect. */
const USUAL_PROVIDER_URL = 'https://api.openai.com/v1'
const RUNTIME_SECONDS = 120

const RUNTIME_VARIABLES = [
  'LLMHOST_BASE_URLS',
  'LLMHOST_BASE_URL',
  'OLLAMA_BASE_URLS',
  'OLLAMA_BASE_URL',
]
const PROVIDER_VARIABLES = ['OPENAI_API_BASE_URLS', 'OPENAI_API_BASE_URL']
const KEY_VARIABLES = ['OPENAI_API_KEYS', 'OPENAI_API_KEY']

const FOUND =
  'This runtime was found by itself. Set LLMHOST_BASE_URL to an empty value to leave it out.'
const variableOf = ({ kind }: ConnectionRecord): string =>
  kind === 'runtime' ? 'LLMHOST_BASE_URLS' : 'OPENAI_API_BASE_URLS'
const refuse = (text: string): never => {
  throw badRequest(text, { code: 'connection_from_environment' })
}

/** Connections whose kind and URL come from variables, with an administrator's changes. */
export class EnvironmentConnections {
  readonly #read: () => ConnectionRecord[]
  readonly #store: OverrideStore
  readonly #isFirst: () => boolean

  /**
   * `isFirst` returns true if the keys of the environment take precedence over those entered in the
   * UI.
   */
  constructor({
    read,
    store,
    isFirst,
  }: {
    read: () => ConnectionRecord[]
    store: OverrideStore
    isFirst: () => boolean
  }) {
    this.#read = read
    this.#store = store
    this.#isFirst = isFirst
  }

  list(): Promise<ConnectionRecord[]> {
    return mapInOrder([...nameOverrides(this.#read())], async ([base, name]) =>
      base.origin === 'environment' ? await this.#override(base, name) : base,
    )
  }

  /**
   * Stores the differences from the environment; throws 400 for values only the environment can
   * change.
   */
  async override(known: ConnectionRecord, wanted: ConnectionRecord): Promise<void> {
    const [base, name] = this.#requireNamed(known)
    if (wanted.kind !== base.kind || wanted.url !== base.url)
      refuse(
        `The kind and the address of this connection come from the environment. Change ${variableOf(base)} there.`,
      )
    if (this.#isFirst() && base.key !== null && wanted.key !== base.key)
      refuse(
        'The key of this connection comes from the environment, which wins while ENABLE_PERSISTENT_CONFIG is false.',
      )
    await this.#store.put(name, toOverride(base, wanted))
  }

  /** Deletes the changes; throws 400 if there are none. */
  async reset(known: ConnectionRecord): Promise<void> {
    const [base, name] = this.#requireNamed(known)
    if ((await this.#store.get(name)) === null)
      refuse(
        `This connection comes from the environment. Switch it off, or take it out of ${variableOf(base)}.`,
      )
    await this.#store.remove(name)
  }

  async #override(base: ConnectionRecord, name: string): Promise<ConnectionRecord> {
    const record = applyOverride(base, await this.#store.get(name))
    if (!this.#isFirst() || base.key === null) return record
    return {
      ...record,
      key: base.key,
      overridden: record.overridden.filter((field) => field !== 'key'),
    }
  }

  #requireNamed({ id, origin }: ConnectionRecord): [base: ConnectionRecord, name: string] {
    const found = [...nameOverrides(this.#read())].find(([base]) => base.id === id)
    return origin === 'environment' && found ? found : refuse(FOUND)
  }
}

/**
 * Returns the first variable with a value; otherwise an empty text if one is set but empty, which
 * means "none".
 */
function firstSet(environment: Environment, names: readonly string[]): string | undefined {
  const values = names.map((name) => environment[name]).filter((value) => value !== undefined)
  return values.find((value) => value.trim() !== '') ?? values[0]
}

/**
 * Splits a semicolon-separated list; empty entries are kept, because keys are matched to URLs by
 * position.
 */
const splitList = (value: string): string[] =>
  value.trim() === '' ? [] : value.split(';').map((part) => part.trim())

interface Row {
  readonly id: string
  readonly kind: ConnectionRecord['kind']
  readonly url: string
  readonly key: string | null
  readonly seconds: number
  readonly origin: ConnectionRecord['origin']
}

function toRecord(row: Row): ConnectionRecord {
  const url = parseAddress(row.url)
  const isLocalRuntime =
    row.kind === 'runtime' && typeOf({ url, connection_type: null }) === 'local'
  return {
    id: row.id,
    kind: row.kind,
    name: isLocalRuntime ? 'Local runtime' : hostOf({ url }),
    url,
    enabled: true,
    prefix_id: '',
    model_ids: [],
    headers: {},
    timeout_seconds: row.seconds,
    connection_type: null,
    access: 'granted',
    use_proxy: true,
    trusted_certificate: null,
    origin: row.origin,
    key: row.key,
    isLocked: false,
    overridden: [],
  }
}

function runtimeRows(environment: Environment, seconds: number): Row[] {
  const value = firstSet(environment, RUNTIME_VARIABLES)
  const common = {
    kind: 'runtime',
    key: null,
    seconds: Math.max(seconds, RUNTIME_SECONDS),
  } as const
  if (value === undefined)
    return [{ ...common, id: 'env-runtime-0', url: USUAL_RUNTIME_URL, origin: 'found' }]
  return splitList(value).map((url, index) => ({
    ...common,
    id: `env-runtime-${index}`,
    url,
    origin: 'environment',
  }))
}

function providerRows(environment: Environment, seconds: number): Row[] {
  const keys = splitList(firstSet(environment, KEY_VARIABLES) ?? '')
  const value = firstSet(environment, PROVIDER_VARIABLES)
  const hasKey = keys.some((key) => key !== '')
  const urls = value === undefined ? (hasKey ? [USUAL_PROVIDER_URL] : []) : splitList(value)
  return urls.map((url, index) => ({
    id: `env-compatible-${index}`,
    kind: 'compatible',
    url,
    key: keys[index] || null,
    seconds,
    origin: 'environment',
  }))
}

/**
 * Returns the connections defined by variables, and the runtime at its default URL unless a
 * variable overrides it.
 */
export function readEnvironmentConnections(
  environment: Environment,
  seconds: number,
  log: Logger,
): ConnectionRecord[] {
  const rows = [...runtimeRows(environment, seconds), ...providerRows(environment, seconds)]
  return rows
    .filter((row) => row.url !== '')
    .flatMap((row) => {
      try {
        return [toRecord(row)]
      } catch (error) {
        log.warn({ error, connection: row.id }, 'a connection from the environment was ignored')
        return []
      }
    })
}

import { badRequest, notFound, ServiceError, unavailable } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import type { Models } from '../models/index.ts'
import { isUnreached, type Backend, type Providers } from '../providers/index.ts'
import type { RuntimeProxySettings } from './runtime-proxy-settings.ts'

export type ProxiedKind = 'runtime' | 'compatible'

/** A connection that has a model, and its id for the model. */
export interface Target {
  readonly backend: Backend
  readonly modelId: string
}

/**
 * A call for a model: the caller, the model as the caller spells it, and the index of the
 * connection if one is specified.
 */
export interface Wanted {
  readonly caller: Caller
  readonly model: string
  readonly index?: number
}

const SWITCHES = {
  runtime: { key: 'ENABLE_LLMHOST_API', words: 'Local runtimes are' },
  compatible: { key: 'ENABLE_OPENAI_API', words: 'Remote providers are' },
} as const satisfies Record<ProxiedKind, { key: string; words: string }>

/** Puts a random one of several first, those that did not respond last. */
function inOrder(targets: readonly Target[]): readonly Target[] {
  if (targets.length < 2) return targets
  const start = Math.floor(Math.random() * targets.length)
  const mixed = [...targets.slice(start), ...targets.slice(0, start)]
  return [
    ...mixed.filter(({ backend }) => backend.isAlive()),
    ...mixed.filter(({ backend }) => !backend.isAlive()),
  ]
}

const isUnknownModel = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'model_not_found'

const LATEST = /:latest$/

/**
 * Returns the ids under which a connection may list a model of this name. A remote model must not
 * replace the one that the runtime means by it.
 */
export const namesOf = (kind: ProxiedKind, model: string): readonly string[] =>
  kind === 'runtime'
    ? [model, LATEST.test(model) ? model.replace(LATEST, '') : `${model}:latest`]
    : [model]

/** Determines the connections a call may use. */
export class Targets {
  readonly #providers: Providers
  readonly #models: Models
  readonly #settings: RuntimeProxySettings

  constructor({
    providers,
    models,
    settings,
  }: {
    providers: Providers
    models: Models
    settings: RuntimeProxySettings
  }) {
    this.#providers = providers
    this.#models = models
    this.#settings = settings
  }

  /**
   * Returns the connections in use: all, or the one with an index. Throws 503 if their kind is
   * switched off, 404 for an index without one.
   */
  usable(kind: ProxiedKind, index?: number): readonly Backend[] {
    const { key, words } = SWITCHES[kind]
    if (!this.#settings.get(key))
      throw unavailable(`${words} switched off. An administrator can switch them on.`, {
        code: 'switched_off',
      })
    const all = this.#providers.backends(kind)
    if (index === undefined) return all.filter(({ isUsable }) => isUsable)
    const backend = all[index]
    if (!backend?.isUsable) throw notFound(`There is no connection in use at place ${index}.`)
    return [backend]
  }

  /** Returns the connection with an index, else the first in use; throws 503 if there is none. */
  one(kind: ProxiedKind, index?: number): Backend {
    const usable = this.usable(kind, index)
    const first = usable.find(({ isThere }) => isThere) ?? usable[0]
    if (!first)
      throw unavailable('No connection of this kind is in use. An administrator can add one.', {
        code: 'no_connection',
      })
    return first
  }

  /**
   * Returns the connections with a model the caller may use, in the order to try them; throws 400
   * like `models.resolve`.
   */
  async ofModel(kind: ProxiedKind, { caller, model, index }: Wanted): Promise<readonly Target[]> {
    const backends = this.usable(kind, index)
    for (const name of namesOf(kind, model)) {
      const id = await this.#findListedId(kind, caller, name)
      const found = backends.flatMap((backend) => {
        const offered = id === null ? null : backend.findModel(id)
        return offered ? [{ backend, modelId: offered.model.id }] : []
      })
      if (found.length > 0) return inOrder(found)
    }
    const { provider } = await this.#models.resolve(caller, model)
    throw badRequest(this.#explainAbsent(kind, provider.connectionId, { model, index }), {
      code: 'model_not_found',
    })
  }

  /** Reports whether the caller may use the model with a public id. */
  async mayUse(caller: Caller, publicId: string): Promise<boolean> {
    try {
      await this.#models.resolve(caller, publicId)
      return true
    } catch (error) {
      if (isUnknownModel(error)) return false
      throw error
    }
  }

  /** Explains why none of the connections has a model that the gateway knows. */
  #explainAbsent(
    kind: ProxiedKind,
    connectionId: string,
    { model, index }: Pick<Wanted, 'model' | 'index'>,
  ): string {
    const backends = this.#providers.backends(kind)
    if (!backends.some((backend) => backend.connectionId === connectionId))
      return `The model "${model}" belongs to a connection of another kind.`
    return index === undefined
      ? `No connection has the model "${model}" any more.`
      : `The connection at place ${index} does not have the model "${model}".`
  }

  /**
   * Returns the id under which connections list a model; a workspace model runs as its base. Null
   * if the caller may use none of this name.
   */
  async #findListedId(kind: ProxiedKind, caller: Caller, name: string): Promise<string | null> {
    try {
      const { publicId, model, provider } = await this.#models.resolve(caller, name)
      const home = this.#providers
        .backends(kind)
        .find(({ connectionId }) => connectionId === provider.connectionId)
      return home ? home.toPublicId(model.id) : publicId
    } catch (error) {
      if (isUnknownModel(error)) return null
      throw error
    }
  }
}

const isOpenCircuit = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'upstream_circuit_open'
const isSpared = (error: unknown): boolean =>
  isOpenCircuit(error) || (error instanceof ServiceError && isUnreached(error))

/**
 * Tries the connections in order until one is reached. If none is reached, throws the error of a
 * connection that was tried rather than that of one that was skipped.
 */
export async function tryEach(
  targets: readonly Target[],
  send: (target: Target) => Promise<void>,
): Promise<void> {
  let failure: unknown = null
  for (const target of targets) {
    try {
      return await send(target)
    } catch (error) {
      if (!isSpared(error)) throw error
      if (failure === null || isOpenCircuit(failure)) failure = error
    }
  }
  throw failure
}

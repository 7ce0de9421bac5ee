import type { Logger } from '../lib/logger.ts'
import { toNamedModel } from './compatible/parse-models.ts'
import type { ConnectionRecord } from './connection-record.ts'
import type { OfferedModel } from './index.ts'
import type { ModelsStore } from './models-store.ts'
import type { Provider, ProviderModel } from './provider.ts'

export const isFilter = ({ pipeline }: ProviderModel): boolean => pipeline?.type === 'filter'

/**
 * Applies the admin's choice of models: those that were named, in that order, whether the other
 * side lists them or not.
 */
function chooseModels(
  record: ConnectionRecord,
  listed: readonly ProviderModel[],
): readonly ProviderModel[] {
  if (record.model_ids.length === 0) return listed
  const known = new Map(listed.map((model) => [model.id, model]))
  const chosen = record.model_ids.map((id) => known.get(id) ?? toNamedModel(id))
  return [
    ...chosen,
    ...listed.filter((model) => isFilter(model) && !record.model_ids.includes(model.id)),
  ]
}

/** What a list of models belongs to, and where it is kept for the time after a restart. */
interface ModelListOptions {
  readonly record: ConnectionRecord
  readonly provider: Provider
  readonly memory: ModelsStore
  readonly log: Logger
}

/** The models of one connection, also while it does not answer. */
export class ModelList {
  readonly #options: ModelListOptions
  #models: readonly OfferedModel[]

  constructor(options: ModelListOptions) {
    this.#options = options
    this.#models = this.#offer((this.isRemembered && options.memory.read(options.record)) || [])
    this.#dropFilters()
  }

  get models(): readonly OfferedModel[] {
    return this.#models
  }

  /** Models people can converse with. */
  get count(): number {
    return this.#models.filter(({ model }) => !model.embedsOnly && !isFilter(model)).length
  }

  /** A runtime that was found by itself is gone with its program. */
  get isRemembered(): boolean {
    return this.#options.record.origin !== 'found'
  }

  /** The other side has answered with its list. */
  replace(listed: readonly ProviderModel[]): void {
    this.#models = this.#offer(listed)
    if (this.isRemembered) this.#remember(listed)
  }

  /** The other side answers, but lists no models: those that were named are all there are. */
  takeNamed(): void {
    this.#models = this.#offer([])
  }

  /**
   * The other side does not answer. What is marked already stays as it is, for those who remember
   * what they made of it.
   */
  markUnavailable(): void {
    this.#dropFilters()
    this.#models = this.#models.map((offered) =>
      offered.isUnavailable ? offered : { ...offered, isUnavailable: true },
    )
  }

  /** Filters of a server that does not answer would stop the requests to all other models. */
  #dropFilters(): void {
    this.#models = this.#models.filter(({ model }) => !isFilter(model))
  }

  #offer(listed: readonly ProviderModel[]): OfferedModel[] {
    const { record, provider } = this.#options
    const toPublicId = (id: string): string =>
      record.prefix_id === '' ? id : `${record.prefix_id}.${id}`
    return chooseModels(record, listed).map((model) => ({
      publicId: toPublicId(model.id),
      model,
      provider,
    }))
  }

  /** A full disk costs the memory, not the list. */
  #remember(listed: readonly ProviderModel[]): void {
    const { record, memory, log } = this.#options
    try {
      memory.write(record, listed)
    } catch (error) {
      log.warn({ error, connection: record.id }, 'the models of a connection could not be stored')
    }
  }
}

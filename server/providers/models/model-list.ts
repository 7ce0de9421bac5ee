import type { Logger } from '../../lib/logger.ts'
import { toNamedModel } from '../compatible/parse-models.ts'
import type { ConnectionRecord } from '../connections/connection-record.ts'
import type { ModelsStore } from './models-store.ts'
import type { OfferedModel, Provider, ProviderModel } from '../provider.ts'

export const isFilter = ({ pipeline }: ProviderModel): boolean => pipeline?.type === 'filter'

/**
 * Applies the administrator's choice of models: the named ones, in that order, whether or not the
 * upstream lists them.
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

interface ModelListOptions {
  readonly record: ConnectionRecord
  readonly provider: Provider
  /** Models listed when the connection last responded. */
  readonly remembered: readonly ProviderModel[]
  readonly memory: ModelsStore
  readonly log: Logger
}

/** Models of one connection, including the time while it does not respond. */
export class ModelList {
  readonly #options: ModelListOptions
  #models: readonly OfferedModel[]

  constructor(options: ModelListOptions) {
    this.#options = options
    this.#models = this.#offer(this.isRemembered ? options.remembered : [])
    this.#dropFilters()
  }

  get models(): readonly OfferedModel[] {
    return this.#models
  }

  /** Number of chat models. */
  get count(): number {
    return this.#models.filter(({ model }) => !model.embedsOnly && !isFilter(model)).length
  }

  /**
   * True if the list survives a restart: an automatically found runtime is remembered only for the
   * process.
   */
  get isRemembered(): boolean {
    return this.#options.record.origin !== 'found'
  }

  /** Replaces the list after the upstream responded with it. */
  async replace(listed: readonly ProviderModel[]): Promise<void> {
    this.#models = this.#offer(listed)
    if (this.isRemembered) await this.#remember(listed)
  }

  /**
   * Keeps only the models an administrator named, if the upstream responds but cannot list models.
   */
  takeNamed(): void {
    this.#models = this.#offer([])
  }

  /**
   * Marks all models while the upstream does not respond. Models already marked stay the same
   * objects, because callers cache by identity.
   */
  markUnavailable(): void {
    this.#dropFilters()
    this.#models = this.#models.map((offered) =>
      offered.isUnavailable ? offered : { ...offered, isUnavailable: true },
    )
  }

  /**
   * Removes filters, because those of an unresponsive server would fail the requests to all other
   * models.
   */
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
      ...(record.access === 'everybody' && { isForEverybody: true }),
    }))
  }

  /** A failed write, such as on a full disk, must not fail the list. */
  async #remember(listed: readonly ProviderModel[]): Promise<void> {
    const { record, memory, log } = this.#options
    try {
      await memory.write(record, listed)
    } catch (error) {
      log.warn({ error, connection: record.id }, 'the models of a connection could not be stored')
    }
  }
}

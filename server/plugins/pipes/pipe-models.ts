import { isRecord } from '../../lib/is-record.ts'
import type { Logger } from '../../lib/logger.ts'
import type { ModelSource, OfferedModel, Provider, ProviderModel } from '../../providers/index.ts'
import type { Records } from '../records.ts'
import type { Runner } from '../calls/runner.ts'
import type { PluginRecord } from '../store.ts'
import { isSamePipe, PipeReadings } from './pipe-readings.ts'
import { createPipeProvider, toPipeModel, type PipeProviderDependencies } from './provider.ts'

interface KnownPipe {
  readonly record: PluginRecord
  readonly offered: readonly OfferedModel[]
  readonly readAt: number
}

export interface PipeModelsDependencies extends Pick<PipeProviderDependencies, 'later'> {
  readonly records: Records
  readonly runner: Runner
  readonly log: Logger
}

/** Age in ms after which a list of models made by a pipe is requested again. */
const FRESH_MILLISECONDS = 5 * 60_000
/** Age in ms below which a list is never requested again. */
const JUST_MADE_MILLISECONDS = 1000

const isManifold = ({ description }: PluginRecord): boolean => 'pipes' in description.hooks

/** Returns the model of a pipe without its own list. */
const toOwnModel = (record: PluginRecord): ProviderModel =>
  record.builtIn?.kind === 'pipe'
    ? record.builtIn.model
    : toPipeModel(record.id, record.name, record)

function readModels(record: PluginRecord, value: unknown): ProviderModel[] {
  const models = isRecord(value) ? value['models'] : null
  if (!Array.isArray(models)) return [toOwnModel(record)]
  return models
    .filter(isRecord)
    .map(({ id, name }) => toPipeModel(`${record.id}.${String(id)}`, String(name ?? id), record))
}

/**
 * Models of the active pipes; a pipe that cannot list its models offers none, and the others are
 * unaffected.
 */
export class PipeModels implements ModelSource {
  readonly #deps: PipeModelsDependencies
  /** Null before the first request. */
  #known: Map<string, KnownPipe> | null = null
  readonly #providers = new Map<string, Provider>()
  readonly #listeners: (() => void)[] = []
  readonly #readings

  constructor(dependencies: PipeModelsDependencies) {
    this.#deps = dependencies
    this.#readings = new PipeReadings((record) => this.#read(record), dependencies.log)
    dependencies.records.onChange(() => {
      this.#known = this.#review()
      this.#changed()
    })
  }

  models(): OfferedModel[] {
    return [...this.#current().values()].flatMap(({ offered }) => offered)
  }

  async refresh(force: boolean, wanted?: string): Promise<void> {
    const isStale = (record: PluginRecord): boolean => {
      const entry = this.#current().get(record.id)
      const isAsked = force && (wanted === undefined || wanted.startsWith(`${record.id}.`))
      return (
        !entry ||
        (isManifold(record) &&
          performance.now() - entry.readAt >
            (isAsked ? JUST_MADE_MILLISECONDS : FRESH_MILLISECONDS))
      )
    }
    // A caller that wants another model need not wait for lists that cannot contain it.
    const isOther = (record: PluginRecord): boolean =>
      wanted !== undefined && !wanted.startsWith(`${record.id}.`)
    const waited = this.#active()
      .filter(isStale)
      .flatMap((record) => {
        const reading = this.#readings.inTime(record)
        return isOther(record) ? [] : [reading]
      })
    await Promise.all(waited)
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener)
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }

  #active(): PluginRecord[] {
    return this.#deps.records
      .all('function')
      .filter(({ kind, isActive, fault }) => kind === 'pipe' && isActive && fault === null)
  }

  #providerFor(record: PluginRecord): Provider {
    const key = `${record.id}\n${record.name}`
    const existing = this.#providers.get(key)
    if (existing) return existing
    const find = (): PluginRecord | null =>
      this.#deps.records.find({ store: 'function', id: record.id })
    const listModels = async (): Promise<ProviderModel[]> => this.#askModels(find() ?? record)
    const provider = createPipeProvider(
      { runner: this.#deps.runner, find, listModels, later: this.#deps.later },
      record,
    )
    this.#providers.set(key, provider)
    return provider
  }

  async #askModels(record: PluginRecord): Promise<ProviderModel[]> {
    if (!isManifold(record)) return [toOwnModel(record)]
    return readModels(
      record,
      await this.#deps.runner.ask(record, { op: 'pipes', valves: record.valves ?? {} }, null),
    )
  }

  #toKnown(record: PluginRecord, models: readonly ProviderModel[]): KnownPipe {
    const provider = this.#providerFor(record)
    return {
      record,
      offered: models.map((model) => ({ publicId: model.id, model, provider })),
      readAt: performance.now(),
    }
  }

  /** Returns the known state of the active pipes; one without its own list is known immediately. */
  #review(): Map<string, KnownPipe> {
    const next = new Map<string, KnownPipe>()
    for (const record of this.#active()) {
      const before = this.#known?.get(record.id)
      if (before && isSamePipe(before.record, record)) next.set(record.id, before)
      else if (!isManifold(record)) next.set(record.id, this.#toKnown(record, [toOwnModel(record)]))
    }
    return next
  }

  #current(): Map<string, KnownPipe> {
    return (this.#known ??= this.#review())
  }

  async #read(record: PluginRecord): Promise<void> {
    const models = await this.#askModels(record).catch((error: unknown) => {
      this.#deps.log.warn({ error, plugin: record.id }, 'a pipe could not list its models')
      return []
    })
    const isMeant = this.#active().some((each) => each.id === record.id && isSamePipe(each, record))
    if (!isMeant) return
    this.#current().set(record.id, this.#toKnown(record, models))
    this.#changed()
  }
}

import { EngineFault, NO_ROOM } from './fault.ts'
import { LoadedModel } from './loaded-model.ts'
import { openLibrary } from './open-library.ts'

/** A model in memory as it is listed. */
export interface LoadedRow {
  readonly file: string
  readonly contextLength: number
  readonly bytes: number
  /** Unix milliseconds; infinite for a model that stays loaded. */
  readonly expiresAt: number
}

interface Entry {
  readonly loading: Promise<LoadedModel>
  model: LoadedModel | null
  calls: number
  keepAlive: number
  expiresAt: number
  timer: NodeJS.Timeout | undefined
}

/** Maximum delay of a Node timer. */
const LONGEST_TIMER = 2_147_483_647

/** The models in memory: loaded with their first call and unloaded after a period without calls. */
export class LoadedModels {
  readonly #entries = new Map<string, Entry>()
  readonly #onEmpty: () => void

  /** `onEmpty` is called when the last model is unloaded. */
  constructor(onEmpty: () => void) {
    this.#onEmpty = onEmpty
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0
  }

  list(): LoadedRow[] {
    return [...this.#entries.values()].flatMap(({ model, expiresAt }) =>
      model
        ? [
            {
              file: model.file,
              contextLength: model.contextLength,
              bytes: model.model.size,
              expiresAt,
            },
          ]
        : [],
    )
  }

  /**
   * Runs an operation with a model, which stays in memory meanwhile and for `keepAlive` afterwards.
   */
  async use<Result>(
    file: string,
    keepAlive: number,
    work: (model: LoadedModel) => Promise<Result>,
  ): Promise<Result> {
    const entry = this.#entries.get(file) ?? this.#load(file)
    entry.calls += 1
    clearTimeout(entry.timer)
    try {
      return await work(await entry.loading)
    } finally {
      entry.calls -= 1
      entry.keepAlive = keepAlive
      if (entry.calls === 0) this.#rest(file, entry)
    }
  }

  #load(file: string): Entry {
    const entry: Entry = {
      loading: this.#open(file),
      model: null,
      calls: 0,
      keepAlive: 0,
      expiresAt: Number.POSITIVE_INFINITY,
      timer: undefined,
    }
    this.#entries.set(file, entry)
    entry.loading.then(
      (model) => (entry.model = model),
      () => this.#entries.delete(file),
    )
    return entry
  }

  /** Unloads unused models first to free memory. */
  async #open(file: string): Promise<LoadedModel> {
    const opened = await openLibrary()
    try {
      return await LoadedModel.load(opened, file)
    } catch (error) {
      const resting = [...this.#entries].filter(([, { calls, model }]) => model && calls === 0)
      const isCrowded = error instanceof EngineFault && error.status === NO_ROOM
      if (!isCrowded || resting.length === 0) throw error
      for (const [name, entry] of resting) await this.#unload(name, entry)
      return LoadedModel.load(opened, file)
    }
  }

  #rest(file: string, entry: Entry): void {
    if (this.#entries.get(file) !== entry) return this.#tellIfEmpty()
    const { keepAlive } = entry
    entry.expiresAt = Date.now() + keepAlive
    if (keepAlive <= 0) return void this.#unload(file, entry)
    if (keepAlive < LONGEST_TIMER)
      entry.timer = setTimeout(() => void this.#unload(file, entry), keepAlive)
  }

  async #unload(file: string, entry: Entry): Promise<void> {
    clearTimeout(entry.timer)
    this.#entries.delete(file)
    await entry.model?.dispose()
    this.#tellIfEmpty()
  }

  #tellIfEmpty(): void {
    if (this.isEmpty) this.#onEmpty()
  }
}

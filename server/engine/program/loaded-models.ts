import type { CallWait } from '../../lib/outgoing/call-wait.ts'
import { EngineFault, NO_ROOM } from './fault.ts'
import { LoadedModel, type LoadOptions } from './loaded-model.ts'
import { openLibrary } from './open-library.ts'

/** A model in memory as it is listed. */
export interface LoadedRow {
  readonly file: string
  readonly contextLength: number
  readonly bytes: number
  /** Unix milliseconds; infinite for a model that stays loaded. */
  readonly expiresAt: number
}

/** The file of a model; its digest changes with its content. */
export interface ModelFile {
  readonly path: string
  readonly digest: string
}

export interface ModelUse {
  readonly file: ModelFile
  /** Milliseconds without calls after which the model is unloaded. */
  readonly keepAlive: number
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal
  /** Called while the model is being loaded for this caller. */
  readonly onWait?: (wait: CallWait) => void
}

interface Entry {
  readonly file: ModelFile
  readonly loading: Promise<LoadedModel>
  /** Ends the load once no call waits for it any more. */
  readonly abandoning: AbortController
  /** Callers to be told of the progress of the load. */
  readonly watchers: Set<(wait: CallWait) => void>
  /** Share of the file that is loaded; null while that is unknown. */
  progress: number | null
  model: LoadedModel | null
  calls: number
  keepAlive: number
  expiresAt: number
  timer: NodeJS.Timeout | undefined
}

/** Maximum delay of a Node timer. */
const LONGEST_TIMER = 2_147_483_647

/** Rejects as soon as the signal aborts, even though the work goes on for others. */
async function waitUnlessLeft<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted()
  const left = Promise.withResolvers<never>()
  const leave = (): void => left.reject(signal.reason)
  signal.addEventListener('abort', leave)
  try {
    return await Promise.race([work, left.promise])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

/** The models in memory: loaded with their first call and unloaded after a period without calls. */
export class LoadedModels {
  readonly #entries = new Map<string, Entry>()
  readonly #onEmpty: () => void
  /** Settles when loads that were ended have freed their memory. */
  #abandoned: Promise<unknown> = Promise.resolve()

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
   * A caller that leaves while the model is loaded ends the load, unless others wait for it too.
   */
  async use<Result>(
    { file, keepAlive, signal, onWait }: ModelUse,
    work: (model: LoadedModel) => Promise<Result>,
  ): Promise<Result> {
    signal.throwIfAborted()
    const known = this.#entries.get(file.path)
    const isSame = known?.file.digest === file.digest
    const entry = known && isSame ? known : this.#load(file, known && this.#detach(known))
    entry.calls += 1
    // The wish of the latest call counts, whichever ends last.
    entry.keepAlive = keepAlive
    clearTimeout(entry.timer)
    try {
      return await work(entry.model ?? (await this.#awaitLoad(entry, signal, onWait)))
    } finally {
      entry.calls -= 1
      if (entry.calls === 0) this.#rest(entry)
    }
  }

  /**
   * Unloads a file that is about to be deleted or replaced; resolves when its memory is free, or at
   * once while calls use it, which are completed first.
   */
  async forget(path: string): Promise<void> {
    const entry = this.#entries.get(path)
    if (entry) await this.#detach(entry)
  }

  async #awaitLoad(
    { loading, watchers, progress }: Entry,
    signal: AbortSignal,
    onWait: ModelUse['onWait'],
  ): Promise<LoadedModel> {
    if (!onWait) return waitUnlessLeft(loading, signal)
    onWait({ reason: 'loading', progress })
    watchers.add(onWait)
    try {
      return await waitUnlessLeft(loading, signal)
    } finally {
      watchers.delete(onWait)
    }
  }

  /** Loads a model after the given one is unloaded. */
  #load(file: ModelFile, unloaded: Promise<void> = Promise.resolve()): Entry {
    const abandoning = new AbortController()
    const before = Promise.all([unloaded, this.#abandoned])
    const entry: Entry = {
      file,
      loading: before.then(() =>
        this.#open(file.path, {
          signal: abandoning.signal,
          onProgress(progress) {
            entry.progress = progress
            for (const watch of entry.watchers) watch({ reason: 'loading', progress })
          },
        }),
      ),
      abandoning,
      watchers: new Set(),
      progress: null,
      model: null,
      calls: 0,
      keepAlive: 0,
      expiresAt: Number.POSITIVE_INFINITY,
      timer: undefined,
    }
    this.#entries.set(file.path, entry)
    entry.loading.then(
      (model) => {
        entry.model = model
        // It was loaded in the same moment in which the last caller left.
        if (abandoning.signal.aborted) void this.#unload(entry)
      },
      () => this.#leave(entry),
    )
    return entry
  }

  /** Ends a load for which no call waits. */
  #abandon(entry: Entry): void {
    this.#leave(entry)
    this.#abandoned = Promise.allSettled([this.#abandoned, entry.loading])
    entry.abandoning.abort()
    this.#tellIfEmpty()
  }

  /** Unloads unused models first to free memory. */
  async #open(file: string, load: LoadOptions): Promise<LoadedModel> {
    const opened = await openLibrary()
    load.signal.throwIfAborted()
    try {
      return await LoadedModel.load(opened, file, load)
    } catch (error) {
      const resting = [...this.#entries.values()].filter(({ calls, model }) => model && !calls)
      const isCrowded = error instanceof EngineFault && error.status === NO_ROOM
      if (!isCrowded || resting.length === 0) throw error
      for (const entry of resting) await this.#unload(entry)
      return LoadedModel.load(opened, file, load)
    }
  }

  #rest(entry: Entry): void {
    const { keepAlive } = entry
    if (!entry.model) return this.#abandon(entry)
    if (!this.#isListed(entry)) return void this.#unload(entry)
    entry.expiresAt = Date.now() + keepAlive
    if (keepAlive <= 0) return void this.#unload(entry)
    if (keepAlive < LONGEST_TIMER)
      entry.timer = setTimeout(() => void this.#unload(entry), keepAlive)
  }

  /** Removes an entry from further calls; the last running one unloads it. */
  async #detach(entry: Entry): Promise<void> {
    this.#leave(entry)
    if (entry.calls === 0) await this.#unload(entry)
  }

  #isListed(entry: Entry): boolean {
    return this.#entries.get(entry.file.path) === entry
  }

  #leave(entry: Entry): void {
    if (this.#isListed(entry)) this.#entries.delete(entry.file.path)
  }

  async #unload(entry: Entry): Promise<void> {
    clearTimeout(entry.timer)
    this.#leave(entry)
    await entry.model?.dispose()
    this.#tellIfEmpty()
  }

  #tellIfEmpty(): void {
    if (this.isEmpty) this.#onEmpty()
  }
}

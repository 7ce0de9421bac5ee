import type { Logger } from '../../lib/logger.ts'
import type { CurrentEngine } from '../embedding/current-engine.ts'
import type { EngineState } from '../embedding/engine-state.ts'
import type { RetrievalStore } from '../store.ts'
import type { Indexer } from './indexer.ts'
import type { OthersReindex } from './others-reindex.ts'

/** Dependencies of re-indexing. */
export interface ReindexerTools {
  readonly store: RetrievalStore
  readonly indexer: Indexer
  readonly engine: CurrentEngine
  /**
   * The other gateways on the database, of which one follows the engine; null if there are none.
   */
  readonly others: OthersReindex | null
  readonly log: Logger
}

/** Time after a failure until the engine is retried. */
const RETRY_MILLISECONDS = 60_000

const describe = (
  done: number,
  waiting: number,
  document: string | null,
): EngineState['reindex'] => ({
  done,
  total: done + waiting + (document === null ? 0 : 1),
  document,
})

/** Rebuilds the index of documents in the background, one after the other. */
export class Reindexer {
  readonly #tools: ReindexerTools
  readonly #listeners = new Set<() => void>()
  readonly #waiting = new Set<string>()
  #done = 0
  #failures = 0
  #current: string | null = null
  #stopper = new AbortController()
  #retry: NodeJS.Timeout | undefined
  #isRunning = false
  #isClosed = false

  readonly #start = (): void => {
    clearTimeout(this.#retry)
    if (this.#isRunning || this.#isClosed) return
    this.#isRunning = true
    this.#work()
      .catch((error: unknown) => this.#tools.log.error({ error }, 'reindexing stopped'))
      .finally(() => {
        this.#isRunning = false
        this.#current = null
        this.#tell()
      })
  }

  constructor(tools: ReindexerTools) {
    this.#tools = tools
  }

  /** Queues documents after those already queued. */
  add(documentIds: readonly string[]): void {
    for (const id of documentIds) this.#waiting.add(id)
    this.#start()
  }

  /**
   * Queues the documents whose vectors are from another engine than the current one; earlier
   * entries of the queue are dropped. Of several gateways, only one does this.
   */
  async followEngine(): Promise<void> {
    this.#drop('Another engine was chosen.')
    this.#failures = 0
    this.#done = 0
    if (!(this.#tools.others?.replicas.isLeader ?? true)) return this.#tell()
    for (const id of await this.#tools.store.stale(this.#tools.engine.get().engine.id))
      this.#waiting.add(id)
    if (this.#waiting.size > 0) this.#start()
    else this.#tell()
  }

  /**
   * Continues with the unfinished documents if this gateway is responsible for them, now or later.
   */
  async open(): Promise<void> {
    const { others, log } = this.#tools
    const follow = (): Promise<void> => this.followEngine()
    others?.replicas.onLead(
      () =>
        void follow().catch((error: unknown) =>
          log.error({ error }, 'documents of another engine could not be read'),
        ),
    )
    await others?.open({ progress: () => this.#show(), stop: () => this.#stopHere() })
    await follow()
  }

  /**
   * Leaves the unfinished documents as they are until the next start or the next `add`; on other
   * gateways too.
   */
  stop(): void {
    this.#tools.others?.stop()
    this.#stopHere()
  }

  #stopHere(): void {
    if (this.#waiting.size === 0 && this.#stopper.signal.aborted) return
    this.#drop('Indexing again was stopped.')
    this.#tell()
  }

  /** Returns the progress of this gateway, or of another one. */
  state(): EngineState['reindex'] {
    return this.#own() ?? this.#tools.others?.find() ?? null
  }

  #own(): EngineState['reindex'] {
    return this.#isRunning || this.#waiting.size > 0
      ? describe(this.#done, this.#waiting.size, this.#current)
      : null
  }

  failed(): number {
    return this.#failures
  }

  /** Adds a listener for progress changes; returns the function that removes it. */
  onProgress(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  close(): void {
    this.#isClosed = true
    this.#drop('The gateway is stopping.')
  }

  /** Resolves with false if the engine does not respond, so that the rest would fail too. */
  async #attempt(id: string): Promise<boolean> {
    const { indexer, engine, log } = this.#tools
    const { signal } = (this.#stopper = new AbortController())
    try {
      // A newer text being indexed must not be aborted for the old one.
      if (!indexer.isBusy(id)) await indexer.index(id, { storedId: id }, { signal })
    } catch (error) {
      if (signal.aborted) return true
      if (engine.problem() !== null) {
        this.#waiting.add(id)
        return false
      }
      this.#failures += 1
      log.warn({ error, document: id }, 'a document could not be reindexed')
    }
    this.#done += 1
    return true
  }

  async #work(): Promise<void> {
    while (this.#waiting.size > 0 && !this.#isClosed) {
      const id = this.#waiting.values().next().value!
      this.#waiting.delete(id)
      this.#current = id
      this.#tell()
      if (await this.#attempt(id)) continue
      this.#retry = setTimeout(this.#start, RETRY_MILLISECONDS).unref()
      return
    }
    this.#done = 0
  }

  #tell(): void {
    this.#tools.others?.tell(this.#own())
    this.#show()
  }

  #show(): void {
    for (const listener of this.#listeners) listener()
  }

  #drop(reason: string): void {
    clearTimeout(this.#retry)
    this.#waiting.clear()
    this.#stopper.abort(new Error(reason))
  }
}

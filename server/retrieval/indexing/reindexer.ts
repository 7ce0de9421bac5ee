import type { Logger } from '../../lib/logger.ts'
import type { CurrentEngine } from '../embedding/current-engine.ts'
import type { EngineState } from '../embedding/engine-state.ts'
import type { RetrievalStore } from '../store.ts'
import type { Indexer } from './indexer.ts'

/** Makes the index of documents anew in the background, one after the other. */
export interface Reindexer {
  /** Takes these on, after what it has already. */
  add(documentIds: readonly string[]): void
  /**
   * Takes on the documents whose vectors are of another engine than the one in use; what was taken
   * on before is dropped.
   */
  followEngine(): void
  /** Leaves what is not done yet as it is, until the next start or the next `add`. */
  stop(): void
  state(): EngineState['reindex']
  failed(): number
  onProgress(listener: () => void): () => void
  close(): void
}

/** What indexing again is done with. */
export interface ReindexerTools {
  readonly store: RetrievalStore
  readonly indexer: Indexer
  readonly engine: CurrentEngine
  readonly log: Logger
}

/** After a failure the engine is asked again after this long. */
const RETRY_MILLISECONDS = 60_000

function createBroadcast() {
  const listeners = new Set<() => void>()
  return {
    tell: (): void => listeners.forEach((listener) => listener()),
    listen: (listener: () => void) => {
      listeners.add(listener)
      return (): void => void listeners.delete(listener)
    },
  }
}

const describe = (
  done: number,
  waiting: number,
  document: string | null,
): EngineState['reindex'] => ({
  done,
  total: done + waiting + (document === null ? 0 : 1),
  document,
})

export function createReindexer({ store, indexer, engine, log }: ReindexerTools): Reindexer {
  const { tell, listen } = createBroadcast()
  const waiting = new Set<string>()
  let [done, failures] = [0, 0]
  let current: string | null = null
  let stopper = new AbortController()
  let retry: NodeJS.Timeout | undefined
  let [isRunning, isClosed] = [false, false]

  /** False when the engine does not answer, so that the rest would fail too. */
  async function attempt(id: string): Promise<boolean> {
    const { signal } = (stopper = new AbortController())
    try {
      // A newer text that is on its way into the index must not be stopped for the old one.
      if (!indexer.isBusy(id)) await indexer.index(id, { storedId: id }, { signal })
    } catch (error) {
      if (signal.aborted) return true
      if (engine.problem() !== null) {
        waiting.add(id)
        return false
      }
      failures += 1
      log.warn({ error, document: id }, 'a document could not be indexed again')
    }
    done += 1
    return true
  }

  async function work(): Promise<void> {
    while (waiting.size > 0 && !isClosed) {
      const id = waiting.values().next().value!
      waiting.delete(id)
      current = id
      tell()
      if (await attempt(id)) continue
      retry = setTimeout(start, RETRY_MILLISECONDS).unref()
      return
    }
    done = 0
  }

  function start(): void {
    clearTimeout(retry)
    if (isRunning || isClosed) return
    isRunning = true
    work()
      .catch((error: unknown) => log.error({ error }, 'indexing again stopped'))
      .finally(() => {
        isRunning = false
        current = null
        tell()
      })
  }

  function drop(reason: string): void {
    clearTimeout(retry)
    waiting.clear()
    stopper.abort(new Error(reason))
  }

  return {
    add(documentIds) {
      for (const id of documentIds) waiting.add(id)
      start()
    },
    followEngine() {
      drop('Another engine was chosen.')
      failures = 0
      done = 0
      for (const id of store.stale(engine.get().engine.id)) waiting.add(id)
      if (waiting.size > 0) start()
      else tell()
    },
    stop() {
      if (waiting.size === 0 && stopper.signal.aborted) return
      drop('Indexing again was stopped.')
      tell()
    },
    state: () => (isRunning || waiting.size > 0 ? describe(done, waiting.size, current) : null),
    failed: () => failures,
    onProgress: listen,
    close() {
      isClosed = true
      drop('The gateway is stopping.')
    },
  }
}

import type { IndexReader } from '../document-index.ts'
import type { Passage } from '../passage.ts'
import { RestingThread } from '../../storage/resting-thread.ts'
import type {
  IndexHealth,
  SearchCommand,
  SearchOrder,
  SearchReport,
  SearchThreadOptions,
} from './messages.ts'

type Answer = Exclude<SearchReport, { type: 'failed' | 'vectors-checked' }>
type Question = SearchCommand extends infer Command
  ? Command extends { id: number }
    ? Omit<Command, 'id'>
    : never
  : never

const REST_MILLISECONDS = 300_000

/**
 * Searches in another thread, which is started on demand and frees its memory after an idle time.
 */
export class SearchThread implements IndexReader {
  readonly #waiting = new Map<number, PromiseWithResolvers<Answer>>()
  #lastId = 0
  readonly #thread

  /**
   * `onVectorsChecked` is called with the reason why there are no vectors, or null, before the
   * first response.
   */
  constructor(
    options: SearchThreadOptions,
    onVectorsChecked: (problem: string | null) => void = () => {},
  ) {
    this.#thread = new RestingThread<SearchCommand, SearchReport>({
      name: 'search-worker',
      folder: import.meta.dirname,
      workerData: options,
      restMilliseconds: REST_MILLISECONDS,
      onReport: (report) => {
        if (report.type === 'vectors-checked') {
          onVectorsChecked(report.problem)
          return
        }
        const asked = this.#waiting.get(report.id)
        this.#waiting.delete(report.id)
        if (report.type === 'failed') asked?.reject(new Error(report.reason))
        else asked?.resolve(report)
        if (this.#waiting.size === 0) this.#thread.rest()
      },
      onLost: (reason) => {
        for (const { reject } of this.#waiting.values()) reject(reason)
        this.#waiting.clear()
      },
    })
  }

  search(order: SearchOrder, signal: AbortSignal): Promise<Passage[]> {
    return this.#askForPassages({ type: 'search', order }, signal)
  }

  choose(
    passages: readonly Passage[],
    order: SearchOrder,
    signal: AbortSignal,
  ): Promise<Passage[]> {
    return this.#askForPassages({ type: 'choose', passages, order }, signal)
  }

  async countTokens(text: string): Promise<number> {
    const answer = await this.#ask({ type: 'count', text })
    return answer.type === 'count' ? answer.tokens : 0
  }

  async checkHealth(): Promise<IndexHealth> {
    const answer = await this.#ask({ type: 'health' })
    if (answer.type !== 'health')
      throw new TypeError('The searching thread answered another question.')
    return answer.health
  }

  close(): Promise<void> {
    return this.#thread.close()
  }

  #ask(question: Question, signal?: AbortSignal): Promise<Answer> {
    signal?.throwIfAborted()
    const asked = Promise.withResolvers<Answer>()
    const id = ++this.#lastId
    this.#waiting.set(id, asked)
    try {
      this.#thread.post({ ...question, id } as SearchCommand)
    } catch (error) {
      this.#waiting.delete(id)
      throw error
    }
    if (!signal) return asked.promise
    // A scan is short; the caller need not wait for its end, though.
    const stop = (): void => asked.reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    return asked.promise.finally(() => signal.removeEventListener('abort', stop))
  }

  async #askForPassages(question: Question, signal: AbortSignal): Promise<Passage[]> {
    const answer = await this.#ask(question, signal)
    return answer.type === 'passages' ? [...answer.passages] : []
  }
}

import type { Passage } from '../passage.ts'
import { createRestingThread } from '../resting-thread.ts'
import type {
  IndexHealth,
  SearchCommand,
  SearchOrder,
  SearchReport,
  SearchThreadOptions,
} from './messages.ts'

/**
 * Searches in another thread, which is started when there is something to find and gives its memory
 * back after a rest.
 */
export interface SearchThread {
  search(order: SearchOrder, signal: AbortSignal): Promise<Passage[]>
  /** Drops duplicates and joins neighbours among passages that were ranked again. */
  choose(passages: readonly Passage[], order: SearchOrder, signal: AbortSignal): Promise<Passage[]>
  countTokens(text: string): Promise<number>
  checkHealth(): Promise<IndexHealth>
  close(): Promise<void>
}

type Answer = Exclude<SearchReport, { type: 'failed' | 'vectors-checked' }>
type Question = SearchCommand extends infer Command
  ? Command extends { id: number }
    ? Omit<Command, 'id'>
    : never
  : never

const REST_MILLISECONDS = 300_000

/** `onVectorsChecked` is told why there are no vectors, or null, before the first answer. */
export function createSearchThread(
  options: SearchThreadOptions,
  onVectorsChecked: (problem: string | null) => void = () => {},
): SearchThread {
  const waiting = new Map<number, PromiseWithResolvers<Answer>>()
  let lastId = 0

  const thread = createRestingThread<SearchCommand, SearchReport>({
    name: 'search-worker',
    folder: 'searching',
    workerData: options,
    restMilliseconds: REST_MILLISECONDS,
    onReport(report) {
      if (report.type === 'vectors-checked') {
        onVectorsChecked(report.problem)
        return
      }
      const asked = waiting.get(report.id)
      waiting.delete(report.id)
      if (report.type === 'failed') asked?.reject(new Error(report.reason))
      else asked?.resolve(report)
      if (waiting.size === 0) thread.rest()
    },
    onLost(reason) {
      for (const { reject } of waiting.values()) reject(reason)
      waiting.clear()
    },
  })

  function ask(question: Question, signal?: AbortSignal): Promise<Answer> {
    signal?.throwIfAborted()
    const asked = Promise.withResolvers<Answer>()
    const id = ++lastId
    waiting.set(id, asked)
    try {
      thread.post({ ...question, id } as SearchCommand)
    } catch (error) {
      waiting.delete(id)
      throw error
    }
    if (!signal) return asked.promise
    // A scan is short; nobody has to wait for its end, though.
    const stop = (): void => asked.reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    return asked.promise.finally(() => signal.removeEventListener('abort', stop))
  }

  async function askForPassages(question: Question, signal: AbortSignal): Promise<Passage[]> {
    const answer = await ask(question, signal)
    return answer.type === 'passages' ? [...answer.passages] : []
  }

  return {
    search: (order, signal) => askForPassages({ type: 'search', order }, signal),
    choose: (passages, order, signal) =>
      askForPassages({ type: 'choose', passages, order }, signal),
    async countTokens(text) {
      const answer = await ask({ type: 'count', text })
      return answer.type === 'count' ? answer.tokens : 0
    },
    async checkHealth() {
      const answer = await ask({ type: 'health' })
      if (answer.type !== 'health')
        throw new TypeError('The searching thread answered another question.')
      return answer.health
    },
    close: () => thread.close(),
  }
}

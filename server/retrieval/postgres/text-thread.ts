import { nextTurn } from '../../lib/turns.ts'
import { RestingThread } from '../../storage/resting-thread.ts'
import type { ExtractedDocument } from '../extraction/index.ts'
import type { IndexingPlan } from '../indexing/messages.ts'
import type { Passage } from '../passage.ts'
import type { SearchOrder } from '../searching/messages.ts'
import type { Chunk } from '../splitting/pack-chunks.ts'
import type { Gathered, TextCommand, TextReport } from './messages.ts'

const REST_MILLISECONDS = 300_000
/**
 * Maximum length in characters; copying a longer text takes so long that it is sent one piece per
 * turn.
 */
const LONGEST_PIECE = 2_000_000
/** Memory for the text of a large file besides its chunks. */
const MEMORY_MEBIBYTES = 2048

interface Waiting {
  readonly chunks: Chunk[]
  readonly resolve: (report: TextReport) => void
  readonly reject: (reason: unknown) => void
}

/** Text processing in another thread, which is started on demand. */
export class TextThread {
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0
  readonly #thread

  constructor() {
    this.#thread = new RestingThread<TextCommand, TextReport>({
      name: 'text-worker',
      folder: import.meta.dirname,
      workerData: null,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MEBIBYTES },
      restMilliseconds: REST_MILLISECONDS,
      onReport: (report) => this.#take(report),
      onLost: (reason) => {
        for (const { reject } of this.#waiting.values()) reject(reason)
        this.#waiting.clear()
      },
    })
  }

  /** Splits a document. */
  async split(
    content: ExtractedDocument,
    plan: IndexingPlan,
    signal: AbortSignal,
  ): Promise<readonly Chunk[]> {
    const chunks: Chunk[] = []
    const post = (id: number): Promise<void> => this.#sendDocument({ id, content, plan }, signal)
    await this.#ask(post, signal, chunks)
    return chunks
  }

  /** Returns the best passages of the database's results. */
  judge(gathered: Gathered, order: SearchOrder, signal: AbortSignal): Promise<Passage[]> {
    return this.#askForPassages((id) => ({ type: 'judge', id, gathered, order }), signal)
  }

  choose(
    passages: readonly Passage[],
    order: SearchOrder,
    signal: AbortSignal,
  ): Promise<Passage[]> {
    return this.#askForPassages((id) => ({ type: 'choose', id, passages, order }), signal)
  }

  async countTokens(text: string): Promise<number> {
    const report = await this.#ask((id) => this.#thread.post({ type: 'count', id, text }))
    return report.type === 'count' ? report.tokens : 0
  }

  close(): Promise<void> {
    return this.#thread.close()
  }

  async #askForPassages(
    toCommand: (id: number) => TextCommand,
    signal: AbortSignal,
  ): Promise<Passage[]> {
    const report = await this.#ask((id) => this.#thread.post(toCommand(id)), signal)
    return report.type === 'passages' ? [...report.passages] : []
  }

  /** Chunks received meanwhile are added to `chunks`. */
  async #ask(
    post: (id: number) => void | Promise<void>,
    signal?: AbortSignal,
    chunks: Chunk[] = [],
  ): Promise<TextReport> {
    signal?.throwIfAborted()
    const id = (this.#lastId += 1)
    const { promise, resolve, reject } = Promise.withResolvers<TextReport>()
    this.#waiting.set(id, { chunks, resolve, reject })
    const stop = (): void => reject(signal?.reason)
    signal?.addEventListener('abort', stop, { once: true })
    try {
      await Promise.all([post(id), promise])
      return await promise
    } finally {
      signal?.removeEventListener('abort', stop)
      if (this.#waiting.delete(id) && signal?.aborted) this.#thread.post({ type: 'stop', id })
      if (this.#waiting.size === 0) this.#thread.rest()
    }
  }

  async #sendDocument(
    { id, content, plan }: { id: number; content: ExtractedDocument; plan: IndexingPlan },
    signal: AbortSignal,
  ): Promise<void> {
    const { text } = content
    if (text.length <= LONGEST_PIECE) {
      this.#thread.post({ type: 'split', id, content, plan })
      return
    }
    for (let from = 0; from < text.length; from += LONGEST_PIECE) {
      this.#thread.post({ type: 'text', id, piece: text.slice(from, from + LONGEST_PIECE) })
      await nextTurn()
      signal.throwIfAborted()
    }
    this.#thread.post({ type: 'split', id, content: { ...content, text: '' }, plan })
  }

  #take(report: TextReport): void {
    const waiting = this.#waiting.get(report.id)
    if (!waiting) return
    if (report.type === 'failed') {
      waiting.reject(new Error(report.reason))
      return
    }
    if (report.type === 'chunks') for (const chunk of report.chunks) waiting.chunks.push(chunk)
    if (report.type !== 'chunks' || report.isLast) waiting.resolve(report)
  }
}

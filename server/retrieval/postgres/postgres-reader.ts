import type { IndexReader } from '../document-index.ts'
import type { Passage } from '../passage.ts'
import { findWorded, type WordFindings, type WordQuestion } from '../searching/find-worded.ts'
import type { IndexHealth, SearchOrder } from '../searching/messages.ts'
import type { ScopeDocument } from '../searching/store.ts'
import { countCandidates } from '../searching/to-passages.ts'
import type { Gathered } from './messages.ts'
import { planIndexed } from './plan-indexed.ts'
import type { NearHit, SearchStore, WordScope } from './search-store.ts'
import type { TextThread } from './text-thread.ts'

const NOTHING: WordFindings = { terms: [], ids: [] }

/**
 * Searches the index in a PostgreSQL database, which finds candidates; they are ranked in a thread,
 * by the same rules as in the SQLite file.
 */
export class PostgresReader implements IndexReader {
  readonly #store: SearchStore
  readonly #thread: TextThread

  constructor(store: SearchStore, thread: TextThread) {
    this.#store = store
    this.#thread = thread
  }

  async search(order: SearchOrder, signal: AbortSignal): Promise<Passage[]> {
    signal.throwIfAborted()
    const gathered = await this.#store.snapshot(() => this.#gather(order, signal))
    signal.throwIfAborted()
    return gathered ? this.#thread.judge(gathered, order, signal) : []
  }

  choose(
    passages: readonly Passage[],
    order: SearchOrder,
    signal: AbortSignal,
  ): Promise<Passage[]> {
    return this.#thread.choose(passages, order, signal)
  }

  countTokens(text: string): Promise<number> {
    return this.#thread.countTokens(text)
  }

  checkHealth(): Promise<IndexHealth> {
    return this.#store.snapshot(() => this.#store.health())
  }

  close(): Promise<void> {
    return this.#thread.close()
  }

  async #gather(order: SearchOrder, signal: AbortSignal): Promise<Gathered | null> {
    const scope = await this.#store.scope(order.collections, order.documents)
    if (scope.length === 0) return null
    const near = await this.#findNear(scope, order)
    const findings: Gathered['findings'][number][] = []
    for (const [place, text] of order.texts.entries()) {
      signal.throwIfAborted()
      const worded = order.usesWords ? await this.#findWords(scope, text) : NOTHING
      findings.push({ near: near[place] ?? [], worded })
    }
    const ids = findings.flatMap(({ near: hits, worded }) => [
      ...hits.map(({ id }) => id),
      ...worded.ids,
    ])
    const chunks = await this.#store.chunks([...new Set(ids)])
    const named = new Set(chunks.map(({ document_seq }) => document_seq))
    const documents = scope
      .filter(({ seq }) => named.has(seq))
      .map(({ seq, id, name }) => ({ seq, id, name }))
    return { findings, hasVectors: near.length > 0, chunks, documents }
  }

  async #findNear(
    scope: readonly ScopeDocument[],
    { vectors, engine, limit }: SearchOrder,
  ): Promise<NearHit[][]> {
    const dimensions = vectors?.[0]?.length
    if (!vectors || dimensions === undefined) return []
    const comparable = scope.filter(
      (document) => document.engine === engine && document.dimensions === dimensions,
    )
    if (comparable.length === 0) return []
    const versions = comparable.map(({ seq }) => seq)
    const search = planIndexed({
      within: comparable.reduce((sum, { chunks }) => sum + chunks, 0),
      all: await this.#store.vectorRows(dimensions),
      dimensions,
      wanted: countCandidates(limit),
    })
    const found: NearHit[][] = []
    for (const vector of vectors) {
      const question = { dimensions, versions, vector, limit: countCandidates(limit) }
      found.push(
        search
          ? await this.#store.nearestByIndex(question, search)
          : await this.#store.nearest(question),
      )
    }
    return found
  }

  async #findWords(scope: readonly ScopeDocument[], text: string): Promise<WordFindings> {
    const last = scope.at(-1)!
    const words: WordScope = {
      first: scope[0]!.firstChunk,
      end: last.firstChunk + last.chunks,
      versions: scope.map(({ seq }) => seq),
    }
    const search = findWorded(text, words.end - words.first)
    let step = search.next()
    while (!step.done) step = search.next(await this.#answer(step.value, words))
    return step.value
  }

  #answer(question: WordQuestion, scope: WordScope): Promise<number[]> {
    if (question.ask === 'count')
      return this.#store.countMatches(question.matches, scope, question.most)
    const { ask, match, limit } = question
    return ask === 'list'
      ? this.#store.listMatches(match, scope, limit)
      : this.#store.rankMatches(match, question.terms, scope, limit)
  }
}

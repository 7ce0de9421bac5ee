import type { IndexReader } from '../document-index.ts'
import type { Passage } from '../passage.ts'
import {
  findWorded,
  type WordAnswer,
  type WordFindings,
  type WordQuestion,
} from '../searching/find-worded.ts'
import type { IndexHealth, SearchOrder } from '../searching/messages.ts'
import type { ScopeDocument } from '../searching/store.ts'
import { countCandidates } from '../searching/to-passages.ts'
import type { Gathered } from './messages.ts'
import type { NearHit, SearchStore, WordScope } from './search-store.ts'
import type { TextThread } from './text-thread.ts'
import { MOST_INDEXED } from './vector-tables.ts'

/** Up to here comparing with every vector of the scope is as fast as the way by the index. */
const MOST_COMPARED = 10_000
/** Vectors the index finds for each one wanted, and at least, before exact ones decide. */
const INDEXED_PER_CANDIDATE = 4
const LEAST_INDEXED = 200
/** PostgreSQL takes no more. */
const MOST_INDEXED_CANDIDATES = 1000
/** Vectors the index may look at beyond what the share of the scope makes likely. */
const VISITED_RESERVE = 4
const LEAST_VISITED = 20_000
/** Above this looking through the scope costs less than looking through the index. */
const VISITED_PER_COMPARED = 0.5

const NOTHING: WordFindings = { terms: [], ids: [] }

/**
 * Searches the index in a database of PostgreSQL, which finds candidates; what they are worth is
 * judged in a thread, by the same rules as in the file of SQLite.
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
    const search = await this.#planIndexed(comparable, dimensions, countCandidates(limit))
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

  /** How to use the index of vectors; null when comparing with all of the scope costs less. */
  async #planIndexed(scope: readonly ScopeDocument[], dimensions: number, wanted: number) {
    const within = scope.reduce((sum, { chunks }) => sum + chunks, 0)
    if (within <= MOST_COMPARED || dimensions > MOST_INDEXED) return null
    const candidates = Math.min(
      MOST_INDEXED_CANDIDATES,
      Math.max(LEAST_INDEXED, wanted * INDEXED_PER_CANDIDATE),
    )
    const all = await this.#store.vectorRows(dimensions)
    const visited = Math.max(
      LEAST_VISITED,
      Math.ceil((candidates * VISITED_RESERVE * all) / within),
    )
    return visited > Math.max(LEAST_VISITED, within * VISITED_PER_COMPARED)
      ? null
      : { candidates, visited }
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

  #answer(question: WordQuestion, scope: WordScope): Promise<WordAnswer> {
    const { match } = question
    if (question.ask === 'count') return this.#store.countMatches(match, scope, question.most)
    if (question.ask === 'list') return this.#store.listMatches(match, scope, question.limit)
    return this.#store.rankMatches(match, question.terms, scope, question.limit)
  }
}

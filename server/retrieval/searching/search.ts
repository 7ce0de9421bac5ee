import type { Passage } from '../passage.ts'
import { cosine } from '../vectors/quantise.ts'
import { VectorPool } from '../vectors/vector-pool.ts'
import { choosePassages } from './choose.ts'
import { fuse } from './fuse.ts'
import type { SearchOrder } from './messages.ts'
import { searchWords, type WordHit } from './search-words.ts'
import type { ScopeDocument, SearchStore } from './store.ts'
import { countCandidates, toPassages } from './to-passages.ts'

/**
 * Number of chunks selected by their codes for each candidate, before exact vectors are compared.
 */
const CODES_PER_CANDIDATE = 2
/**
 * Number of vectors up to which comparing all of them is as fast as using codes, which must be read
 * first.
 */
const MOST_COMPARED = 8000

type Near = readonly { readonly id: number; readonly score: number }[]

/** Searches the content of the database. A class, because it owns the copies of vectors. */
export class Searcher {
  readonly #store: SearchStore
  readonly #vectorBytes: number
  readonly #hasVectors: boolean
  #vectorRows = new Map<number, number>()
  #pools = new Map<string, VectorPool>()
  #generation = -1
  #scopes = new Map<string, ScopeDocument[]>()

  constructor(
    store: SearchStore,
    { vectorBytes, hasVectors }: { vectorBytes: number; hasVectors: boolean },
  ) {
    this.#store = store
    this.#hasVectors = hasVectors
    this.#vectorBytes = vectorBytes
  }

  /** Returns passages of one consistent state of the database. */
  search(order: SearchOrder): Passage[] {
    return this.#store.snapshot(() => {
      this.#follow()
      const scope = this.#scopeOf(order)
      if (scope.length === 0) return []
      const count = countCandidates(order.limit)
      const near = this.#findNear(scope, order, count)
      const worded = this.#findWords(scope, order, count)
      const findings = order.texts.map((_, place) => ({
        near: near[place] ?? [],
        worded: worded[place] ?? [],
      }))
      const candidates = fuse(findings, order.wordWeight, {
        vectors: near.length > 0,
        words: order.usesWords,
      })
      const passages = toPassages(
        candidates.slice(0, count),
        (id) => this.#store.chunk(id),
        new Map(scope.map((document) => [document.seq, document])),
      )
      return choosePassages(passages, order)
    })
  }

  /** Drops copies replaced since the last search. */
  #follow(): void {
    const generation = this.#store.generation()
    if (generation === this.#generation) return
    this.#generation = generation
    this.#scopes = new Map()
    this.#vectorRows = new Map()
    const isReady = this.#store.isReady()
    for (const pool of this.#pools.values()) pool.retain(isReady)
  }

  #scopeOf({ collections, documents }: SearchOrder): ScopeDocument[] {
    const key = JSON.stringify([collections, documents])
    const known = this.#scopes.get(key)
    if (known) return known
    const scope = this.#store.scope(collections, documents)
    if (this.#scopes.size > 20) this.#scopes.clear()
    this.#scopes.set(key, scope)
    return scope
  }

  #poolOf(engine: string, dimensions: number): VectorPool {
    const key = `${engine} ${dimensions}`
    const known = this.#pools.get(key)
    if (known) return known
    const pool = new VectorPool(
      dimensions,
      (document) => this.#store.codes(document),
      this.#vectorBytes,
    )
    // One engine is in use at a time; the copies of another are useless.
    this.#pools = new Map([[key, pool]])
    return pool
  }

  #countVectors(dimensions: number): number {
    const known = this.#vectorRows.get(dimensions)
    if (known !== undefined) return known
    const rows = this.#store.vectorRows(dimensions)
    this.#vectorRows.set(dimensions, rows)
    return rows
  }

  /**
   * Returns ids that include the nearest: all of them if there are few vectors, else those with the
   * nearest codes.
   */
  #chooseNear(
    documents: readonly ScopeDocument[],
    engine: string,
    vectors: readonly Float32Array[],
    count: number,
  ): number[][] {
    const dimensions = vectors[0]!.length
    if (this.#countVectors(dimensions) > MOST_COMPARED) {
      const found = this.#poolOf(engine, dimensions).search(
        documents,
        vectors,
        count * CODES_PER_CANDIDATE,
      )
      return found.map((hits) => hits.map(({ id }) => id))
    }
    this.#store.useScope(documents)
    return vectors.map((vector) => this.#store.vectors.nearest(vector, count))
  }

  /** Finds the nearest by exact vectors. */
  #findNear(
    scope: readonly ScopeDocument[],
    { vectors, engine }: SearchOrder,
    count: number,
  ): Near[] {
    const dimensions = vectors?.[0]?.length
    if (!vectors || dimensions === undefined || !this.#hasVectors) return []
    const documents = scope.filter(
      (document) => document.engine === engine && document.dimensions === dimensions,
    )
    if (documents.length === 0) return []
    return this.#chooseNear(documents, engine, vectors, count).map((ids, place) =>
      ids
        .flatMap((id) => {
          const vector = this.#store.vectors.vector(dimensions, id)
          return vector ? [{ id, score: cosine(vectors[place]!, vector) }] : []
        })
        .sort((a, b) => b.score - a.score || a.id - b.id)
        .slice(0, count),
    )
  }

  #findWords(
    scope: readonly ScopeDocument[],
    { texts, usesWords }: SearchOrder,
    count: number,
  ): WordHit[][] {
    if (!usesWords) return []
    const last = scope.at(-1)!
    const range = { first: scope[0]!.firstChunk, end: last.firstChunk + last.chunks }
    this.#store.useScope(scope)
    return texts.map((text) => searchWords(this.#store, text, range, count))
  }
}

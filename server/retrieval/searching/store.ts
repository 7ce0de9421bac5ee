import type Sqlite from 'better-sqlite3'
import type { CodeRows, VectorDocument } from '../vectors/vector-pool.ts'
import { createVectorReader, type VectorReader } from '../vectors/vector-table.ts'
import type { IndexHealth } from './messages.ts'

/** A version of a document that can be found. */
export interface ScopeDocument extends VectorDocument {
  readonly id: string
  readonly name: string
  readonly engine: string
  readonly dimensions: number
}

/** A passage as stored. */
export interface StoredChunk {
  readonly id: number
  readonly document_seq: number
  readonly start: number
  readonly end: number
  readonly page: number | null
  readonly page_label: string | null
  readonly tokens: number
  readonly heading: string
  readonly preface: string
  readonly text: string
}

/** The statements of the searching thread, on a connection that only reads. */
export interface SearchStore {
  /** Runs `work` on one state of the database. */
  snapshot<Result>(work: () => Result): Result
  /** Changes with everything that changes what can be found. */
  generation(): number
  scope(collections: readonly string[], documents: readonly string[]): ScopeDocument[]
  isReady(): (seq: number) => boolean
  codes(document: VectorDocument): Iterable<CodeRows>
  vector: VectorReader['vector']
  /** The nearest in the scope given last to `useScope`. */
  nearest: VectorReader['nearest']
  /** Rows of the table with vectors of so many values. */
  vectorRows(dimensions: number): number
  chunk(id: number): StoredChunk | null
  /** How many passages of the range have the term, at most `most`. */
  countMatches(match: string, range: ChunkRange, most: number): number
  /** The best by BM25 of those that match, in the scope given last to `useScope`. */
  rankMatches(match: string, range: ChunkRange, limit: number): { id: number; rank: number }[]
  /** Some that match, newest first, without a rank. */
  listMatches(match: string, range: ChunkRange, limit: number): number[]
  /** Keeps the ranges of chunks that later searches are held to. */
  useScope(documents: readonly VectorDocument[]): void
  health(): IndexHealth
  close(): void
}

/** Chunks from `first` to before `end`. */
export interface ChunkRange {
  readonly first: number
  readonly end: number
}

const COLUMNS = 'd.seq, d.id, d.name, d.engine, d.dimensions, d.first_chunk as firstChunk, d.chunks'
const WEIGHTS = '1.5, 1.0'
/** The last range that begins at or before a row reaches over it. */
const IN_SCOPE =
  'coalesce((select s.last from scope_range s where s.first <= retrieval_words.rowid order by s.first desc limit 1), 0) >= retrieval_words.rowid'

/** Chunks in the scope. */
const SCOPE_IDS =
  'select c.id from scope_range s join retrieval_chunk c on c.id >= s.first and c.id <= s.last'

function createWordStore(
  sqlite: Sqlite.Database,
): Pick<SearchStore, 'countMatches' | 'rankMatches' | 'listMatches' | 'useScope'> {
  sqlite.exec('create temp table scope_range (first integer primary key, last integer not null)')
  const clear = sqlite.prepare('delete from scope_range')
  const insert = sqlite.prepare('insert into scope_range values (?, ?)')
  const inRange = 'from retrieval_words where retrieval_words match ? and rowid >= ? and rowid < ?'
  const count = sqlite
    .prepare<[string, number, number, number]>(`select count(*) from (select 1 ${inRange} limit ?)`)
    .pluck()
  const rank = sqlite.prepare<[string, number, number, number], { id: number; rank: number }>(
    `select rowid as id, bm25(retrieval_words, ${WEIGHTS}) as rank ${inRange} and ${IN_SCOPE} order by rank limit ?`,
  )
  const list = sqlite
    .prepare<[string, number, number, number]>(
      `select rowid ${inRange} and ${IN_SCOPE} order by rowid desc limit ?`,
    )
    .pluck()
  return {
    countMatches: (match, { first, end }, most) => count.get(match, first, end, most) as number,
    rankMatches: (match, { first, end }, limit) => rank.all(match, first, end, limit),
    listMatches: (match, { first, end }, limit) => list.all(match, first, end, limit) as number[],
    useScope(documents) {
      clear.run()
      let from = 0
      let last = -1
      const flush = (): void => {
        if (last >= from && last >= 0) insert.run(from, last)
      }
      // Documents written one after the other are one range.
      for (const { firstChunk, chunks } of documents) {
        if (chunks === 0) continue
        if (firstChunk !== last + 1) {
          flush()
          from = firstChunk
        }
        last = firstChunk + chunks - 1
      }
      flush()
    },
  }
}

/** Prepares the statements. */
export function createSearchStore(sqlite: Sqlite.Database): SearchStore {
  sqlite.pragma('temp_store = MEMORY')
  const snapshot = sqlite.transaction((work: () => unknown) => work())
  const readGeneration = sqlite
    .prepare<[], number>('select value from retrieval_generation')
    .pluck()
  const ofCollections = sqlite.prepare<[string], ScopeDocument>(
    `select ${COLUMNS} from retrieval_member m join retrieval_document d on d.id = m.document_id and d.state = 'ready' ` +
      'where m.collection in (select value from json_each(?))',
  )
  const ofIds = sqlite.prepare<[string], ScopeDocument>(
    `select ${COLUMNS} from retrieval_document d where d.state = 'ready' and d.id in (select value from json_each(?))`,
  )
  const readySeqs = sqlite
    .prepare<[], number>("select seq from retrieval_document where state = 'ready'")
    .pluck()
  const readCodes = sqlite.prepare<[number, number], CodeRows>(
    'select first_chunk, chunks, scales, codes from retrieval_codes where first_chunk >= ? and first_chunk < ? order by first_chunk',
  )
  const readRows = sqlite
    .prepare<[number], number>(
      'select coalesce(sum(chunks), 0) from retrieval_document where dimensions = ?',
    )
    .pluck()
  const readChunk = sqlite.prepare<[number], StoredChunk>(
    'select * from retrieval_chunk where id = ?',
  )
  const readHealth = sqlite.prepare<[], IndexHealth>(
    'select (select count(*) from retrieval_chunk) as passages, 0 as vectors, ' +
      '(select coalesce(sum(chunks), 0) from retrieval_codes) as codes, (select count(*) from retrieval_words_docsize) as words',
  )
  const words = createWordStore(sqlite)
  const vectors = createVectorReader(sqlite, SCOPE_IDS)
  return {
    snapshot: <Result>(work: () => Result) => snapshot(work) as Result,
    generation: () => readGeneration.get()!,
    scope(collections, documents) {
      const found = new Map<number, ScopeDocument>()
      const rows = [
        ...ofCollections.all(JSON.stringify(collections)),
        ...ofIds.all(JSON.stringify(documents)),
      ]
      for (const document of rows) found.set(document.seq, document)
      return [...found.values()].sort((a, b) => a.firstChunk - b.firstChunk)
    },
    isReady() {
      const ready = new Set(readySeqs.all())
      return (seq) => ready.has(seq)
    },
    codes: ({ firstChunk, chunks }) => readCodes.iterate(firstChunk, firstChunk + chunks),
    vector: (dimensions, chunk) => vectors.vector(dimensions, chunk),
    nearest: (vector, limit) => vectors.nearest(vector, limit),
    vectorRows: (dimensions) => readRows.get(dimensions)!,
    chunk: (id) => readChunk.get(id) ?? null,
    ...words,
    health: () =>
      snapshot(() => ({ ...readHealth.get()!, vectors: vectors.count() })) as IndexHealth,
    close: () => sqlite.close(),
  }
}

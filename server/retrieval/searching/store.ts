import type Sqlite from 'better-sqlite3'
import type { CodeRows, VectorDocument } from '../vectors/vector-pool.ts'
import { VectorReader } from '../vectors/vector-table.ts'
import type { IndexHealth } from './messages.ts'

/** A searchable version of a document. */
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

/** Chunks from `first` to before `end`. */
export interface ChunkRange {
  readonly first: number
  readonly end: number
}

const COLUMNS = 'd.seq, d.id, d.name, d.engine, d.dimensions, d.first_chunk as firstChunk, d.chunks'
const WEIGHTS = '1.5, 1.0'
/** A row is in scope if the last range that starts at or before it includes it. */
const IN_SCOPE =
  'coalesce((select s.last from scope_range s where s.first <= retrieval_words.rowid order by s.first desc limit 1), 0) >= retrieval_words.rowid'

/** Chunks in the scope. */
const SCOPE_IDS =
  'select c.id from scope_range s join retrieval_chunk c on c.id >= s.first and c.id <= s.last'

/** Statements of the searching thread, on a read-only connection. */
export class SearchStore {
  readonly #sqlite: Sqlite.Database
  readonly #snapshot
  readonly #readGeneration
  readonly #ofCollections
  readonly #ofIds
  readonly #readySeqs
  readonly #readCodes
  readonly #readRows
  readonly #readChunk
  readonly #readHealth
  readonly #clearScope
  readonly #insertRange
  readonly #countWords
  readonly #rankWords
  readonly #listWords
  /** Vectors of the last scope set by `useScope`. */
  readonly vectors

  constructor(sqlite: Sqlite.Database) {
    this.#sqlite = sqlite
    sqlite.pragma('temp_store = MEMORY')
    this.#snapshot = sqlite.transaction((work: () => unknown) => work())
    this.#readGeneration = sqlite
      .prepare<[], number>('select value from retrieval_generation')
      .pluck()
    this.#ofCollections = sqlite.prepare<[string], ScopeDocument>(
      `select ${COLUMNS} from retrieval_member m join retrieval_document d on d.id = m.document_id and d.state = 'ready' ` +
        'where m.collection in (select value from json_each(?))',
    )
    this.#ofIds = sqlite.prepare<[string], ScopeDocument>(
      `select ${COLUMNS} from retrieval_document d where d.state = 'ready' and d.id in (select value from json_each(?))`,
    )
    this.#readySeqs = sqlite
      .prepare<[], number>("select seq from retrieval_document where state = 'ready'")
      .pluck()
    this.#readCodes = sqlite.prepare<[number, number], CodeRows>(
      'select first_chunk, chunks, scales, codes from retrieval_codes where first_chunk >= ? and first_chunk < ? order by first_chunk',
    )
    this.#readRows = sqlite
      .prepare<[number], number>(
        'select coalesce(sum(chunks), 0) from retrieval_document where dimensions = ?',
      )
      .pluck()
    this.#readChunk = sqlite.prepare<[number], StoredChunk>(
      'select * from retrieval_chunk where id = ?',
    )
    this.#readHealth = sqlite.prepare<[], IndexHealth>(
      'select (select count(*) from retrieval_chunk) as passages, 0 as vectors, ' +
        '(select coalesce(sum(chunks), 0) from retrieval_codes) as codes, (select count(*) from retrieval_words_docsize) as words',
    )
    sqlite.exec('create temp table scope_range (first integer primary key, last integer not null)')
    this.#clearScope = sqlite.prepare('delete from scope_range')
    this.#insertRange = sqlite.prepare('insert into scope_range values (?, ?)')
    const inRange =
      'from retrieval_words where retrieval_words match ? and rowid >= ? and rowid < ?'
    this.#countWords = sqlite
      .prepare<[string, number, number, number]>(
        `select count(*) from (select 1 ${inRange} limit ?)`,
      )
      .pluck()
    this.#rankWords = sqlite
      .prepare<[string, number, number, number]>(
        `select rowid ${inRange} and ${IN_SCOPE} order by bm25(retrieval_words, ${WEIGHTS}) limit ?`,
      )
      .pluck()
    this.#listWords = sqlite
      .prepare<[string, number, number, number]>(
        `select rowid ${inRange} and ${IN_SCOPE} order by rowid desc limit ?`,
      )
      .pluck()
    this.vectors = new VectorReader(sqlite, SCOPE_IDS)
  }

  /** Runs `work` on one state of the database. */
  snapshot<Result>(work: () => Result): Result {
    return this.#snapshot(work) as Result
  }

  /** Returns a number that changes with every change of searchable content. */
  generation(): number {
    return this.#readGeneration.get()!
  }

  scope(collections: readonly string[], documents: readonly string[]): ScopeDocument[] {
    const found = new Map<number, ScopeDocument>()
    const rows = [
      ...this.#ofCollections.all(JSON.stringify(collections)),
      ...this.#ofIds.all(JSON.stringify(documents)),
    ]
    for (const document of rows) found.set(document.seq, document)
    return [...found.values()].sort((a, b) => a.firstChunk - b.firstChunk)
  }

  isReady(): (seq: number) => boolean {
    const ready = new Set(this.#readySeqs.all())
    return (seq) => ready.has(seq)
  }

  codes({ firstChunk, chunks }: VectorDocument): Iterable<CodeRows> {
    return this.#readCodes.iterate(firstChunk, firstChunk + chunks)
  }

  /** Returns the number of rows in the table for vectors with this number of values. */
  vectorRows(dimensions: number): number {
    return this.#readRows.get(dimensions)!
  }

  chunk(id: number): StoredChunk | null {
    return this.#readChunk.get(id) ?? null
  }

  /** Returns the number of passages of the range with the term, at most `most`. */
  countMatches(match: string, { first, end }: ChunkRange, most: number): number {
    return this.#countWords.get(match, first, end, most) as number
  }

  /** Returns the best matches by BM25, in the last scope set by `useScope`. */
  rankMatches(match: string, { first, end }: ChunkRange, limit: number): number[] {
    return this.#rankWords.all(match, first, end, limit) as number[]
  }

  /** Returns some matches, newest first, without a rank. */
  listMatches(match: string, { first, end }: ChunkRange, limit: number): number[] {
    return this.#listWords.all(match, first, end, limit) as number[]
  }

  /** Sets the ranges of chunks to which subsequent searches are restricted. */
  useScope(documents: readonly VectorDocument[]): void {
    this.#clearScope.run()
    let from = 0
    let last = -1
    const flush = (): void => {
      if (last >= from && last >= 0) this.#insertRange.run(from, last)
    }
    // Documents written consecutively form one range.
    for (const { firstChunk, chunks } of documents) {
      if (chunks === 0) continue
      if (firstChunk !== last + 1) {
        flush()
        from = firstChunk
      }
      last = firstChunk + chunks - 1
    }
    flush()
  }

  health(): IndexHealth {
    return this.#snapshot(() => ({
      ...this.#readHealth.get()!,
      vectors: this.vectors.count(),
    })) as IndexHealth
  }

  close(): void {
    this.#sqlite.close()
  }
}

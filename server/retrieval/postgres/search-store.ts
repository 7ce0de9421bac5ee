import type { Storage } from '../../storage/index.ts'
import type { IndexHealth } from '../searching/messages.ts'
import type { ChunkRange, ScopeDocument, StoredChunk } from '../searching/store.ts'
import { halfOf, vectorTableOf } from './vector-tables.ts'
import { toVectorBytes } from './vector-values.ts'

/** Scope of a word search: passages of these versions, all of which are within a range. */
export interface WordScope extends ChunkRange {
  readonly versions: readonly number[]
}

/** Scope and query vector of a search for nearest vectors. */
export interface NearQuestion {
  readonly dimensions: number
  readonly versions: readonly number[]
  readonly vector: Float32Array
  readonly limit: number
}

export interface NearHit {
  readonly id: number
  readonly score: number
}

/** Limits of a search in the vector index. */
export interface IndexedSearch {
  /** Number of vectors the index finds before the exact ones are compared. */
  readonly candidates: number
  /** Number of vectors it may visit to find that many in the scope. */
  readonly visited: number
}

const COLUMNS =
  'd.seq, d.id, d.name, d.engine, d.dimensions, d.first_chunk as "firstChunk", d.chunks'
/** Number of passages above which the exact count of a term does not matter. */
const MOST_COUNTED = 20_000
/** The query is parsed once, in a subquery, instead of for each row. */
const MATCHES = 'words @@ (select words_query(@match)) and rowid >= @first and rowid < @end'

const COUNT = `with asked as materialized (
    select place, words_query(text) as query from unnest(@matches::text[]) with ordinality given (text, place)
  )
  select (select count(*) from (
    select 1 from retrieval_words where words @@ query and rowid >= @first and rowid < @end limit @most) counted)
  from asked order by place`

/**
 * BM25 like in SQLite's index: 1.5 for a word in the heading, 1.2 and 0.75 for the influence of
 * repetition and length. A term is one word, or two adjacent characters.
 */
const RANK = `with whole as (
    select coalesce(sum(chunks), 0) as passages, coalesce(sum(words), 0)::float8 / greatest(coalesce(sum(chunks), 0), 1) as length
    from retrieval_document where state = 'ready'
  ), asked as materialized (
    select words_query(text) as query,
      (select array_agg(lexeme order by place) from unnest(words(text)) spelled, unnest(positions) place) as lexemes
    from unnest(@terms::text[]) given (text)
  ), term as (
    select lexemes[1] as first, lexemes[2] as second,
      greatest(ln((greatest(passages, matches) - matches + 0.5) / (matches + 0.5)), 0.000001)::float8 as rarity
    from whole, asked cross join lateral (
      select (select count(*) from (select 1 from retrieval_words where words @@ query limit ${MOST_COUNTED}) counted)::float8 as matches
    ) looked
  ), found as (
    select rowid, length, words from retrieval_words where ${MATCHES} and document_seq = any(@versions::bigint[])
  ), spelled as (
    select rowid, lexeme, positions, weights from found, unnest(words)
    where lexeme = any(array(select first from term union select second from term where second is not null))
  ), counted as (
    select one.rowid, term.rarity, case
      when term.second is null then cardinality(one.positions) + 0.5 * cardinality(array_positions(one.weights, 'A'))
      else (select coalesce(sum(case weight when 'A' then 1.5 else 1 end), 0)
        from unnest(one.positions, one.weights) as at (place, weight) where place + 1 = any(other.positions))
      end::float8 as often
    from term join spelled one on one.lexeme = term.first
    left join spelled other on other.rowid = one.rowid and other.lexeme = term.second
    where term.second is null or other.rowid is not null
  )
  select found.rowid from found join counted on counted.rowid = found.rowid cross join whole
  group by found.rowid
  order by sum(rarity * often * 2.2 / (often + 1.2 * (0.25 + 0.75 * found.length / greatest(whole.length, 1)))) desc, found.rowid
  limit @limit`

/** Statements that search the index; must be called in one `snapshot`. */
export class SearchStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  /** Runs `work` on one state of the database, without blocking writers. */
  snapshot<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#storage.transaction(async () => {
      await this.#storage
        .prepare('set transaction isolation level repeatable read, read only')
        .run()
      return work()
    })
  }

  async scope(
    collections: readonly string[],
    documents: readonly string[],
  ): Promise<ScopeDocument[]> {
    const rows = await this.#storage
      .prepare<[readonly string[], readonly string[]], ScopeDocument>(
        `select ${COLUMNS} from retrieval_document d where d.state = 'ready' and (d.id = any(array(` +
          'select document_id from retrieval_member where collection = any(?::text[]))) or d.id = any(?::text[])) order by d.first_chunk',
      )
      .all(collections, documents)
    return rows
  }

  /** Returns the number of passages of the range with each of the terms, at most `most`. */
  countMatches(
    matches: readonly string[],
    { first, end }: ChunkRange,
    most: number,
  ): Promise<number[]> {
    return this.#storage.prepare<[object], number>(COUNT).pluck().all({ matches, first, end, most })
  }

  /** Returns some matches, newest first. */
  listMatches(match: string, scope: WordScope, limit: number): Promise<number[]> {
    return this.#storage
      .prepare<[object], number>(
        `select rowid from retrieval_words where ${MATCHES} and document_seq = any(@versions::bigint[]) order by rowid desc limit @limit`,
      )
      .pluck()
      .all({ match, limit, ...scope })
  }

  /** Returns the best matches by BM25; `terms` are all terms of `match`. */
  rankMatches(
    match: string,
    terms: readonly string[],
    scope: WordScope,
    limit: number,
  ): Promise<number[]> {
    return this.#storage
      .prepare<[object], number>(RANK)
      .pluck()
      .all({ match, terms, limit, ...scope })
  }

  /** Returns the nearest, found by comparing every vector of the scope. */
  nearest({ dimensions, versions, vector, limit }: NearQuestion): Promise<NearHit[]> {
    return this.#storage
      .prepare<[object], NearHit>(
        `select id, -(vector <#> @vector::vector) as score from ${vectorTableOf(dimensions)} ` +
          'where document_seq = any(@versions::bigint[]) order by vector <#> @vector::vector, id limit @limit',
      )
      .all({ versions, limit, vector: toVectorBytes(vector) })
  }

  /** Returns the nearest found by the index, sorted by the exact vectors. */
  async nearestByIndex(
    { dimensions, versions, vector, limit }: NearQuestion,
    { candidates, visited }: IndexedSearch,
  ): Promise<NearHit[]> {
    await this.#storage
      .prepare(
        // Otherwise the planner might sort all vectors of the scope instead.
        "select set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true), " +
          "set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search', ?, true), set_config('hnsw.max_scan_tuples', ?, true)",
      )
      .all(String(candidates), String(visited))
    const found = await this.#storage
      .prepare<[object], NearHit>(
        `select id, -(vector <#> @vector::vector) as score from (select id, vector from ${vectorTableOf(dimensions)} ` +
          `where document_seq = any(@versions::bigint[]) order by ${halfOf('vector', dimensions)} <#> ${halfOf('@vector::vector', dimensions)} limit @candidates) near ` +
          'order by vector <#> @vector::vector, id limit @limit',
      )
      .all({ versions, limit, candidates, vector: toVectorBytes(vector) })
    await this.#storage
      .prepare(
        "select set_config('enable_sort', 'on', true), set_config('enable_seqscan', 'on', true), set_config('enable_bitmapscan', 'on', true)",
      )
      .all()
    return found
  }

  /** Returns the number of rows in the table for vectors with this number of values. */
  async vectorRows(dimensions: number): Promise<number> {
    const rows = await this.#storage
      .prepare<[number], number>(
        'select coalesce(sum(chunks), 0) from retrieval_document where dimensions = ?',
      )
      .pluck()
      .get(dimensions)
    return rows ?? 0
  }

  chunks(ids: readonly number[]): Promise<StoredChunk[]> {
    return this.#storage
      .prepare<[readonly number[]], StoredChunk>(
        'select * from retrieval_chunk where id = any(?::bigint[])',
      )
      .all(ids)
  }

  /** The vector index is maintained by PostgreSQL, so it has as many codes as there are vectors. */
  async health(): Promise<IndexHealth> {
    const counts = (await this.#storage
      .prepare<[], { passages: number; words: number }>(
        'select (select count(*) from retrieval_chunk) as passages, (select count(*) from retrieval_words) as words',
      )
      .get())!
    const tables = await this.#storage
      .prepare<[], string>(
        "select relname::text from pg_class where relkind = 'r' and relname ~ '^retrieval_vector_[0-9]+$' and pg_table_is_visible(oid)",
      )
      .pluck()
      .all()
    let vectors = 0
    for (const table of tables)
      vectors += (await this.#storage
        .prepare<[], number>(`select count(*) from ${table}`)
        .pluck()
        .get())!
    return { ...counts, vectors, codes: vectors }
  }
}

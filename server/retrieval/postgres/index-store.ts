import type { Storage } from '../../storage/index.ts'
import type { ExtractedDocument } from '../extraction/index.ts'
import { joinChunks } from '../indexing/join-chunks.ts'
import type {
  BegunVersion,
  DocumentRow,
  EmbeddedChunk,
  VersionMaking,
} from '../indexing/version-store.ts'
import { headingText, wordsText } from '../indexing/words-text.ts'
import { halfOf, MOST_INDEXED, vectorTableOf } from './vector-tables.ts'
import { toVectorArrayBytes } from './vector-values.ts'

interface UnneededVersion {
  readonly seq: number
  readonly dimensions: number
  readonly first_chunk: number
  readonly chunks: number
}

type StoredDocument = Omit<DocumentRow, 'content'> &
  Pick<ExtractedDocument, 'format' | 'title' | 'language'> & {
    readonly first_chunk: number
    readonly chunks: number
    readonly pages: string
  }

interface WordedChunk {
  readonly id: number
  readonly document_seq: number
  readonly name: string
  readonly heading: string
  readonly preface: string
  readonly text: string
}

/** Number of passages read at once when the text of a document is reassembled. */
const READ_TOGETHER = 500
/** Id of the lock for creating a table of vectors, among all locks of the database. */
const TABLE_LOCK = 0x43475756

const INSERT_CHUNKS = `insert into retrieval_chunk
  (id, document_seq, start, "end", page, page_label, tokens, heading, preface, text)
  select * from unnest(?::bigint[], ?::bigint[], ?::bigint[], ?::integer[], ?::bigint[], ?::text[],
    ?::bigint[], ?::text[], ?::text[], ?::text[])`

/** A passage has one word vector, in which words of its heading have the weight A. */
const PUT_WORDS = `insert into retrieval_words (rowid, document_seq, length, words)
  select id, document_seq, coalesce((select sum(cardinality(positions)) from unnest(words)), 0), words
  from (
    select id, document_seq, setweight(words(heading), 'A') || words(content) as words
    from unnest(?::bigint[], ?::bigint[], ?::text[], ?::text[]) given (id, document_seq, heading, content)
  ) made
  on conflict (rowid) do update set length = excluded.length, words = excluded.words`

/** Versions being built by another gateway belong to it while it is alive. */
const UNNEEDED =
  "state <> 'ready' and (state = 'gone' or maker is null or not exists (select 1 from replica r where r.id = maker and r.id <> ?))"

/** PostgreSQL refuses the character 0 in texts, so it is replaced by a replacement character. */
const toStorable = (text: string): string =>
  text.includes('\0') ? text.replaceAll('\0', '\u{fffd}') : text

/** Statements that write the index. The caller opens the transactions. */
export class IndexStore {
  readonly #storage: Storage
  /** Name of this gateway among several; empty if it is the only one. */
  readonly #self: string
  #vectorType: Promise<number> | undefined

  constructor(storage: Storage, self = '') {
    this.#storage = storage
    this.#self = self
  }

  /**
   * Reserves ids for a version; in a separate statement, because many callers request them
   * concurrently.
   */
  async reserve(chunks: number): Promise<BegunVersion> {
    const row = await this.#storage
      .prepare<[number, number], BegunVersion>(
        'update retrieval_generation set next_chunk = next_chunk + ? returning next_chunk - ? as "firstChunk", ' +
          "nextval(pg_get_serial_sequence('retrieval_document', 'seq')) as seq",
      )
      .get(chunks, chunks)
    return row!
  }

  async begin(
    { id, kind, name, metadata, content }: DocumentRow,
    { engine, splitting, chunks, tokens }: VersionMaking,
    { seq, firstChunk }: BegunVersion,
  ): Promise<void> {
    const { format, title, language, pages } = content
    const texts = [id, kind, name, metadata, format, title, language, JSON.stringify(pages)]
    await this.#storage
      .prepare<(string | number | null)[]>(
        'insert into retrieval_document (id, state, kind, name, metadata, format, title, language, pages, engine, splitting, ' +
          "seq, first_chunk, chunks, tokens, maker, created_at) values (?, 'building', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, unixepoch())",
      )
      .run(...texts, engine, splitting, seq, firstChunk, chunks, tokens, this.#self || null)
  }

  /** Sets the number of values of a version's vectors, and creates their table. */
  async openVectors(seq: number, dimensions: number): Promise<void> {
    const table = vectorTableOf(dimensions)
    await this.#storage.prepare('select pg_advisory_xact_lock(?)').get(TABLE_LOCK)
    const { found } = (await this.#storage
      .prepare<[string], { found: string | null }>('select to_regclass(?)::text as found')
      .get(table))!
    if (found === null) await this.#makeVectorTable(table, dimensions)
    await this.#storage
      .prepare('update retrieval_document set dimensions = ? where seq = ?')
      .run(dimensions, seq)
  }

  async write(
    { seq, name }: { readonly seq: number; readonly name: string },
    firstChunk: number,
    chunks: readonly EmbeddedChunk[],
  ): Promise<void> {
    const ids = chunks.map((_, place) => firstChunk + place)
    const column = <Value>(read: (chunk: EmbeddedChunk) => Value): Value[] => chunks.map(read)
    await this.#storage.prepare(INSERT_CHUNKS).run(
      ids,
      column(() => seq),
      column(({ chunk }) => chunk.start),
      column(({ chunk }) => chunk.end),
      column(({ chunk }) => chunk.page),
      column(({ chunk }) => chunk.page_label),
      column(({ chunk }) => chunk.tokens),
      column(({ chunk }) => toStorable(JSON.stringify(chunk.heading))),
      column(({ chunk }) => toStorable(chunk.preface)),
      column(({ text }) => toStorable(text)),
    )
    await this.#putWords(
      chunks.map(({ chunk: { heading, preface }, text }, place) => ({
        id: ids[place]!,
        document_seq: seq,
        heading: headingText(name, heading, preface),
        content: wordsText(text),
      })),
    )
    await this.#storage
      .prepare(
        'update retrieval_document set words = words + (select coalesce(sum(length), 0) from retrieval_words where rowid >= ? and rowid < ?) where seq = ?',
      )
      .run(firstChunk, firstChunk + chunks.length, seq)
    const vectors = chunks.flatMap(({ vector }) => vector ?? [])
    await this.writeVectors(seq, firstChunk, vectors)
  }

  /** The first vector belongs to the passage `firstChunk`. */
  async writeVectors(
    seq: number,
    firstChunk: number,
    vectors: readonly Float32Array[],
  ): Promise<void> {
    if (vectors.length === 0) return
    const type = await (this.#vectorType ??= this.#readVectorType())
    await this.#storage
      .prepare(
        `insert into ${vectorTableOf(vectors[0]!.length)} (id, document_seq, vector) ` +
          'select id, ?::bigint, vector from unnest(?::bigint[], ?::vector[]) given (id, vector)',
      )
      .run(
        seq,
        vectors.map((_, place) => firstChunk + place),
        toVectorArrayBytes(vectors, type),
      )
  }

  async read(id: string): Promise<DocumentRow | null> {
    const found = await this.#storage
      .prepare<[string], StoredDocument>(
        "select id, kind, name, metadata, format, title, language, pages, first_chunk, chunks from retrieval_document where id = ? and state = 'ready'",
      )
      .get(id)
    if (!found) return null
    const { format, title, language, pages, first_chunk, chunks, ...rest } = found
    const text = joinChunks(await this.#readChunks(first_chunk, first_chunk + chunks))
    const parsed = JSON.parse(pages) as ExtractedDocument['pages']
    return { ...rest, content: { text, format, title, language, pages: parsed, notices: [] } }
  }

  async discard(seq: number): Promise<void> {
    await this.#storage
      .prepare("update retrieval_document set state = 'gone' where seq = ?")
      .run(seq)
  }

  /**
   * Removes up to the given number of passages of an unneeded version; resolves with false if there
   * is none.
   */
  async purge(kept: ReadonlySet<number>, rows: number): Promise<boolean> {
    const found = await this.#storage
      .prepare<[string, readonly number[]], UnneededVersion>(
        `select seq, dimensions, first_chunk, chunks from retrieval_document where ${UNNEEDED} and seq <> all(?::bigint[]) order by seq limit 1`,
      )
      .get(this.#self, [...kept])
    if (!found) return false
    // It may have been started, or have become current, since the query was sent.
    if (kept.has(found.seq) || !(await this.#giveUp(found.seq))) return true
    const end = found.first_chunk + found.chunks
    const next = await this.#firstChunkLeft(found.first_chunk, end)
    const until = next === null ? end : Math.min(end, next + rows)
    // Vectors and words are removed with their passages, so that the parts of the index are always
    // consistent.
    const tables = ['retrieval_chunk', 'retrieval_words']
    for (const table of tables) await this.#deleteRange(table, found.first_chunk, until)
    if (found.dimensions > 0)
      await this.#deleteRange(vectorTableOf(found.dimensions), found.first_chunk, until)
    if (until === end)
      await this.#storage.prepare('delete from retrieval_document where seq = ?').run(found.seq)
    return true
  }

  /**
   * Indexes the words of the next passages after `chunk`; resolves with the last one, or null at
   * the end.
   */
  async writeWords(chunk: number, rows: number): Promise<number | null> {
    const found = await this.#storage
      .prepare<[number, number], WordedChunk>(
        'select c.id, c.document_seq, d.name, c.heading, c.preface, c.text from retrieval_chunk c ' +
          'join retrieval_document d on d.seq = c.document_seq where c.id > ? order by c.id limit ?',
      )
      .all(chunk, rows)
    await this.#putWords(
      found.map(({ id, document_seq, name, heading, preface, text }) => ({
        id,
        document_seq,
        heading: headingText(name, JSON.parse(heading) as string[], preface),
        content: wordsText(text),
      })),
    )
    return found.at(-1)?.id ?? null
  }

  /** Removes words without a passage. */
  async clearStrayWords(): Promise<void> {
    await this.#storage
      .prepare(
        'delete from retrieval_words where not exists (select 1 from retrieval_chunk c where c.id = retrieval_words.rowid)',
      )
      .run()
  }

  /**
   * Marks a version as gone, so that a gateway that was mistaken for dead cannot make it current
   * any more; resolves with false if it is current or being written.
   */
  async #giveUp(seq: number): Promise<boolean> {
    const { changes } = await this.#storage
      .prepare(`update retrieval_document set state = 'gone' where ${UNNEEDED} and seq = ?`)
      .run(this.#self, seq)
    return changes > 0
  }

  async #makeVectorTable(table: string, dimensions: number): Promise<void> {
    const statements = [
      `create table ${table} (id bigint primary key, document_seq bigint not null, vector vector(${dimensions}) not null)`,
      `create index ${table}_by_document on ${table} (document_seq)`,
      ...(dimensions <= MOST_INDEXED
        ? [
            `create index ${table}_near on ${table} using hnsw (${halfOf('vector', dimensions)} halfvec_ip_ops)`,
          ]
        : []),
    ]
    for (const statement of statements) await this.#storage.prepare(statement).run()
  }

  async #putWords(
    rows: readonly {
      readonly id: number
      readonly document_seq: number
      readonly heading: string
      readonly content: string
    }[],
  ): Promise<void> {
    await this.#storage.prepare(PUT_WORDS).run(
      rows.map(({ id }) => id),
      rows.map(({ document_seq }) => document_seq),
      rows.map(({ heading }) => toStorable(heading)),
      rows.map(({ content }) => toStorable(content)),
    )
  }

  async #readVectorType(): Promise<number> {
    return (await this.#storage
      .prepare<[], number>("select 'vector'::regtype::oid::bigint as type")
      .pluck()
      .get())!
  }

  async #readChunks(first: number, end: number) {
    const statement = this.#storage.prepare<
      [number, number],
      { start: number; end: number; text: string }
    >('select start, "end", text from retrieval_chunk where id >= ? and id < ? order by id')
    const chunks: { start: number; end: number; text: string }[] = []
    for (let from = first; from < end; from += READ_TOGETHER)
      for (const chunk of await statement.all(from, Math.min(end, from + READ_TOGETHER)))
        chunks.push(chunk)
    return chunks
  }

  async #firstChunkLeft(first: number, end: number): Promise<number | null> {
    const row = await this.#storage
      .prepare<[number, number], { id: number }>(
        'select id from retrieval_chunk where id >= ? and id < ? order by id limit 1',
      )
      .get(first, end)
    return row?.id ?? null
  }

  async #deleteRange(table: string, first: number, end: number): Promise<void> {
    const column = table === 'retrieval_words' ? 'rowid' : 'id'
    await this.#storage
      .prepare(`delete from ${table} where ${column} >= ? and ${column} < ?`)
      .run(first, end)
  }
}

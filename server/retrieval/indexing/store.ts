import type Sqlite from 'better-sqlite3'
import type { ExtractedDocument } from '../extraction/index.ts'
import { quantise } from '../vectors/quantise.ts'
import { VectorWriter } from '../vectors/vector-table.ts'
import { joinChunks } from './join-chunks.ts'
import type { DocumentRow, EmbeddedChunk } from './version-store.ts'
import { headingText, wordsText } from './words-text.ts'

interface UnneededVersion {
  readonly seq: number
  readonly dimensions: number
  readonly first_chunk: number
  readonly chunks: number
}

interface StoredDocument {
  seq: number
  id: string
  kind: string
  name: string
  metadata: string
  format: ExtractedDocument['format']
  title: string | null
  language: string | null
  pages: string
}

const bytesOf = (array: Float32Array | Int8Array): Buffer =>
  Buffer.from(array.buffer, array.byteOffset, array.byteLength)

/** Statements of the indexing thread, on a dedicated connection. */
export class IndexingStore {
  readonly #sqlite: Sqlite.Database
  readonly #hasVectors: boolean
  readonly #insertDocument
  readonly #takeIds
  readonly #setTotals
  readonly #setDimensions
  readonly #readDocument
  readonly #readChunks
  readonly #vectors
  readonly #atomically
  readonly #insertChunk
  readonly #insertWords
  readonly #insertCodes
  readonly #findUnneeded
  readonly #nextBlock
  readonly #deleteChunks
  readonly #deleteSome
  readonly #deleteCodes
  readonly #deleteDocument
  readonly #markGone
  readonly #clearAllWords
  readonly #readNext

  /**
   * Prepares the statements. `hasVectors` is true if the connection supports the tables of vectors.
   */
  constructor(sqlite: Sqlite.Database, hasVectors: boolean) {
    this.#sqlite = sqlite
    this.#hasVectors = hasVectors
    // A power failure only loses rows of versions that are not current yet; the main connection
    // syncs making them current.
    sqlite.pragma('synchronous = NORMAL')
    this.#insertDocument = sqlite.prepare(
      'insert into retrieval_document (id, state, kind, name, metadata, format, title, language, pages, engine, splitting, created_at) ' +
        "values (?, 'building', ?, ?, ?, ?, ?, ?, ?, ?, ?, unixepoch())",
    )
    this.#takeIds = sqlite.prepare<[number, number], { first: number }>(
      'update retrieval_generation set next_chunk = next_chunk + ? returning next_chunk - ? as first',
    )
    this.#setTotals = sqlite.prepare(
      'update retrieval_document set first_chunk = ?, chunks = ?, tokens = ? where seq = ?',
    )
    this.#setDimensions = sqlite.prepare(
      'update retrieval_document set dimensions = ? where seq = ?',
    )
    this.#readDocument = sqlite.prepare<[string], StoredDocument>(
      "select seq, id, kind, name, metadata, format, title, language, pages from retrieval_document where id = ? and state = 'ready'",
    )
    this.#readChunks = sqlite.prepare<[number], { start: number; end: number; text: string }>(
      'select c.start, c.end, c.text from retrieval_document d join retrieval_chunk c ' +
        'on c.id >= d.first_chunk and c.id < d.first_chunk + d.chunks where d.seq = ? order by c.id',
    )
    this.#vectors = new VectorWriter(sqlite)
    this.#atomically = sqlite.transaction((work: () => unknown) => work())
    this.#insertChunk = sqlite.prepare(
      'insert into retrieval_chunk (id, document_seq, start, end, page, page_label, tokens, heading, preface, text) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    )
    this.#insertWords = sqlite.prepare(
      'insert into retrieval_words (rowid, heading, content) values (?, ?, ?)',
    )
    this.#insertCodes = sqlite.prepare(
      'insert into retrieval_codes (first_chunk, document_seq, chunks, scales, codes) values (?, ?, ?, ?, ?)',
    )
    this.#findUnneeded = sqlite.prepare<[string, number], UnneededVersion>(
      "select seq, dimensions, first_chunk, chunks from retrieval_document where state <> 'ready' " +
        'and seq not in (select value from json_each(?)) and dimensions <= ? order by seq limit 1',
    )
    this.#nextBlock = sqlite.prepare<[number, number], { first_chunk: number; chunks: number }>(
      'select first_chunk, chunks from retrieval_codes where first_chunk >= ? and first_chunk < ? order by first_chunk limit 1',
    )
    this.#deleteChunks = sqlite.prepare('delete from retrieval_chunk where id >= ? and id < ?')
    this.#deleteSome = sqlite.prepare(
      'delete from retrieval_chunk where id in (select id from retrieval_chunk where id >= ? and id < ? order by id limit ?)',
    )
    this.#deleteCodes = sqlite.prepare('delete from retrieval_codes where first_chunk = ?')
    this.#deleteDocument = sqlite.prepare('delete from retrieval_document where seq = ?')
    this.#markGone = sqlite.prepare("update retrieval_document set state = 'gone' where seq = ?")
    this.#clearAllWords = sqlite.prepare(
      "insert into retrieval_words (retrieval_words) values ('delete-all')",
    )
    this.#readNext = sqlite.prepare<
      [number, number],
      { id: number; name: string; heading: string; preface: string; text: string }
    >(
      'select c.id, d.name, c.heading, c.preface, c.text from retrieval_chunk c join retrieval_document d on d.seq = c.document_seq ' +
        'where c.id > ? order by c.id limit ?',
    )
  }

  /** Runs `work` in one transaction. */
  transaction<Result>(work: () => Result): Result {
    return this.#atomically.immediate(work) as Result
  }

  begin(
    { id, kind, name, metadata, content }: DocumentRow,
    engine: string,
    splitting: string,
  ): number {
    const { format, title, language, pages } = content
    const row = [
      id,
      kind,
      name,
      metadata,
      format,
      title,
      language,
      JSON.stringify(pages),
      engine,
      splitting,
    ]
    return Number(this.#insertDocument.run(...row).lastInsertRowid)
  }

  /** Reserves ids for the chunks of a version; returns the first. */
  reserve(seq: number, { chunks, tokens }: { chunks: number; tokens: number }): number {
    const { first } = this.#takeIds.get(chunks, chunks)!
    this.#setTotals.run(first, chunks, tokens, seq)
    return first
  }

  /**
   * Sets the number of values of a version's vectors, and creates their table; must be committed
   * before they are written.
   */
  openVectors(seq: number, dimensions: number): void {
    this.#setDimensions.run(dimensions, seq)
    this.#vectors.open(dimensions)
  }

  write(
    { seq, name }: { seq: number; name: string },
    firstChunk: number,
    chunks: readonly EmbeddedChunk[],
  ): void {
    for (const [place, { chunk, text }] of chunks.entries()) {
      const id = firstChunk + place
      const { start, end, page, page_label, heading, preface, tokens } = chunk
      this.#insertChunk.run(
        id,
        seq,
        start,
        end,
        page,
        page_label,
        tokens,
        JSON.stringify(heading),
        preface,
        text,
      )
      this.#insertWords.run(id, headingText(name, heading, preface), wordsText(text))
    }
    const written = chunks.flatMap(({ vector }) => vector ?? [])
    if (written.length > 0) this.#writeVectors(seq, firstChunk, written)
  }

  /** Returns a stored document with its reassembled text; null if it does not exist. */
  read(id: string): DocumentRow | null {
    const found = this.#readDocument.get(id)
    if (!found) return null
    const { kind, name, metadata, format, title, language, pages } = found
    const text = joinChunks(this.#readChunks.iterate(found.seq))
    const content = {
      text,
      format,
      title,
      language,
      pages: JSON.parse(pages) as ExtractedDocument['pages'],
      notices: [],
    }
    return { id, kind, name, metadata, content }
  }

  discard(seq: number): void {
    this.#markGone.run(seq)
  }

  /**
   * Removes some rows of unneeded versions; returns `goesOn` until only those in `kept` are left.
   */
  purge(
    kept: ReadonlySet<number>,
    rows: number,
  ): { readonly removed: number; readonly goesOn: boolean } {
    const keptList = JSON.stringify([...kept])
    let removed = 0
    // A version without passages counts as a row, or thousands of them would be removed in one
    // transaction.
    while (removed < rows) {
      // Vectors that are inaccessible now stay with their passages until they are accessible.
      const found = this.#findUnneeded.get(keptList, this.#hasVectors ? Number.MAX_SAFE_INTEGER : 0)
      if (!found) return { removed, goesOn: false }
      removed += Math.max(1, this.#purgeSome(found, rows - removed))
    }
    return { removed, goesOn: true }
  }

  clearWords(): void {
    this.#clearAllWords.run()
  }

  /**
   * Indexes the words of the next passages after `chunk`; returns the last one, or null at the end.
   */
  writeWords(chunk: number, rows: number): number | null {
    const found = this.#readNext.all(chunk, rows)
    for (const { id, name, heading, preface, text } of found)
      this.#insertWords.run(
        id,
        headingText(name, JSON.parse(heading) as string[], preface),
        wordsText(text),
      )
    return found.at(-1)?.id ?? null
  }

  close(): void {
    this.#sqlite.close()
  }

  #writeVectors(seq: number, firstChunk: number, written: readonly Float32Array[]): void {
    this.#vectors.write(firstChunk, written)
    const { codes, scales } = quantise(written, written[0]!.length)
    this.#insertCodes.run(firstChunk, seq, written.length, bytesOf(scales), bytesOf(codes))
  }

  /**
   * Removes about the given number of rows of a version; returns their number, which is lower only
   * if the version is gone.
   */
  #purgeSome(found: UnneededVersion, rows: number): number {
    const end = found.first_chunk + found.chunks
    let removed = 0
    // A block of codes is removed with its chunks, as written, so that the parts of the index are
    // always consistent.
    while (removed < rows) {
      const block = this.#nextBlock.get(found.first_chunk, end)
      if (!block) break
      this.#deleteCodes.run(block.first_chunk)
      this.#vectors.remove(found.dimensions, block.first_chunk, block.first_chunk + block.chunks)
      this.#deleteChunks.run(block.first_chunk, block.first_chunk + block.chunks)
      removed += block.chunks
    }
    if (removed < rows)
      removed += this.#deleteSome.run(found.first_chunk, end, rows - removed).changes
    if (removed < rows) this.#deleteDocument.run(found.seq)
    return removed
  }
}

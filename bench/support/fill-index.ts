import type Sqlite from 'better-sqlite3'
import { openStorage, type Storage } from '../../server/storage/index.ts'
import { addVectorTables } from '../../server/retrieval/vectors/extension.ts'
import { quantise } from '../../server/retrieval/vectors/quantise.ts'
import { VectorWriter } from '../../server/retrieval/vectors/vector-table.ts'
import { createProse, createVectors, DIMENSIONS } from './rag-index.ts'

export const COLLECTION = 'all'
const BENCH_ENGINE = 'bench'
const DOCUMENT_CHUNKS = 10_000
const BLOCK = 250

const bytesOf = (array: Float32Array | Int8Array): Buffer =>
  Buffer.from(array.buffer, array.byteOffset, array.byteLength)

interface Filling {
  readonly engine: string
  readonly dimensions: number
  readonly nextVector: () => Float32Array
  readonly textOf: (chunk: number) => string
}

function fillDocument(
  sqlite: Sqlite.Database,
  place: number,
  { engine, dimensions, nextVector, textOf }: Filling,
): void {
  const first = place * DOCUMENT_CHUNKS + 1
  const chunk = sqlite.prepare(
    "insert into retrieval_chunk (id, document_seq, start, end, page, page_label, tokens, heading, preface, text) values (?, ?, ?, ?, null, null, 10, '[]', '', ?)",
  )
  const writer = new VectorWriter(sqlite)
  const codes = sqlite.prepare('insert into retrieval_codes values (?, ?, ?, ?, ?)')
  const words = sqlite.prepare(
    "insert into retrieval_words (rowid, heading, content) values (?, '', ?)",
  )
  const yardstick =
    engine === BENCH_ENGINE
      ? sqlite.prepare('insert into yardstick (rowid, vector) values (?, ?)')
      : null
  const { lastInsertRowid: seq } = sqlite
    .prepare(
      "insert into retrieval_document (id, state, kind, name, metadata, format, pages, engine, dimensions, splitting, first_chunk, chunks, created_at) values (?, 'ready', 'text', ?, '{}', 'text', '[]', ?, ?, '', ?, ?, 0)",
    )
    .run(`d${place}`, `d${place}`, engine, dimensions, first, DOCUMENT_CHUNKS)
  sqlite.prepare('insert into retrieval_member values (?, ?)').run(COLLECTION, `d${place}`)
  for (let from = 0; from < DOCUMENT_CHUNKS; from += BLOCK) {
    const vectors = Array.from({ length: BLOCK }, nextVector)
    for (const [row, value] of vectors.entries()) {
      const id = first + from + row
      const text = textOf(id)
      chunk.run(id, seq, (from + row) * 1000, (from + row) * 1000 + text.length, text)
      words.run(id, text)
      yardstick?.run(BigInt(id), bytesOf(value))
    }
    writer.write(first + from, vectors)
    const { codes: bytes, scales } = quantise(vectors, dimensions)
    codes.run(first + from, seq, BLOCK, bytesOf(scales), bytesOf(bytes))
  }
}

/**
 * Fills an index with `chunks` passages in documents of 10,000. For the engine of the benchmarks
 * the same vectors are also stored in `yardstick`, a default table of sqlite-vec.
 */
export async function fillIndex(
  file: string,
  chunks: number,
  engine = BENCH_ENGINE,
  dimensions = DIMENSIONS,
): Promise<Storage> {
  const storage = openStorage({ path: file })
  const { sqlite } = storage
  sqlite.pragma('synchronous = OFF')
  const problem = addVectorTables(sqlite)
  if (problem !== null) throw new Error(problem)
  new VectorWriter(sqlite).open(dimensions)
  if (engine === BENCH_ENGINE) {
    sqlite.exec(`create virtual table yardstick using vec0 (vector float[${dimensions}])`)
  }
  const prose = createProse(23)
  const filling = {
    engine,
    dimensions,
    nextVector: createVectors(17, 500, dimensions),
    textOf: (id: number) => `${prose(12)}number ${id}`,
  }
  for (let place = 0; place < chunks / DOCUMENT_CHUNKS; place += 1)
    await storage.transaction(async () => fillDocument(sqlite, place, filling))
  sqlite.prepare('update retrieval_generation set next_chunk = ?').run(chunks + 1)
  return storage
}

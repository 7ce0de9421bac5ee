import type Sqlite from 'better-sqlite3'

/**
 * Returns the sqlite-vec table of vectors by passage id; there is one for each number of values.
 * Its 32-bit floats have unit length and are authoritative; codes are derived from them. Ids must
 * be bound as BigInt, because sqlite-vec accepts no other type for integers.
 */
const tableOf = (dimensions: number): string => `retrieval_vector_${dimensions}`

/**
 * Number of rows stored together. More make a full scan faster and reading or removing a single one
 * slower.
 */
const ROWS_TOGETHER = 128

const bytesOf = (vector: Float32Array): Buffer =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)

function toFloats(bytes: Buffer): Float32Array {
  const copy = new Float32Array(bytes.length / 4)
  new Uint8Array(copy.buffer).set(bytes)
  return copy
}

/** Prepares a statement once for each number of values. */
function perDimensions<Values extends unknown[], Row>(
  sqlite: Sqlite.Database,
  toSql: (table: string) => string,
): (dimensions: number) => Sqlite.Statement<Values, Row> {
  const prepared = new Map<number, Sqlite.Statement<Values, Row>>()
  return (dimensions) => {
    const known = prepared.get(dimensions)
    if (known) return known
    const statement = sqlite.prepare<Values, Row>(toSql(tableOf(dimensions)))
    prepared.set(dimensions, statement)
    return statement
  }
}

/** Writes vectors; needs the extension. */
export class VectorWriter {
  readonly #sqlite: Sqlite.Database
  readonly #insert
  readonly #remove

  constructor(sqlite: Sqlite.Database) {
    this.#sqlite = sqlite
    this.#insert = perDimensions<[bigint, Buffer], unknown>(
      sqlite,
      (table) => `insert into ${table} (rowid, vector) values (?, ?)`,
    )
    this.#remove = perDimensions<[bigint], unknown>(
      sqlite,
      (table) => `delete from ${table} where rowid = ?`,
    )
  }

  /** Creates the table if it does not exist; must be committed before anything is written. */
  open(dimensions: number): void {
    this.#sqlite.exec(
      `create virtual table if not exists ${tableOf(dimensions)} using vec0 (vector float[${dimensions}], chunk_size=${ROWS_TOGETHER})`,
    )
  }

  write(firstChunk: number, vectors: readonly Float32Array[]): void {
    for (const [place, vector] of vectors.entries())
      this.#insert(vector.length).run(BigInt(firstChunk + place), bytesOf(vector))
  }

  /** Removes those of the chunks from `first` to before `end`, whether or not they exist. */
  remove(dimensions: number, first: number, end: number): void {
    // A range condition on ids would scan all rows.
    for (let id = first; id < end; id += 1) this.#remove(dimensions).run(BigInt(id))
  }
}

/** Reads vectors; needs the extension, except for `count`. */
export class VectorReader {
  readonly #sqlite: Sqlite.Database
  readonly #read
  readonly #near
  readonly #listTables

  /** `scope` is the query for the ids that may be found. */
  constructor(sqlite: Sqlite.Database, scope: string) {
    this.#sqlite = sqlite
    this.#read = perDimensions<[bigint], { vector: Buffer }>(
      sqlite,
      (table) => `select vector from ${table} where rowid = ?`,
    )
    this.#near = perDimensions<[Buffer, bigint], { id: number }>(
      sqlite,
      (table) =>
        `select rowid as id from ${table} where vector match ? and k = ? and rowid in (${scope}) order by distance`,
    )
    this.#listTables = sqlite
      .prepare<[], string>(
        "select name from sqlite_schema where name glob 'retrieval_vector_*_rowids' and type = 'table'",
      )
      .pluck()
  }

  vector(dimensions: number, chunk: number): Float32Array | null {
    const row = this.#read(dimensions).get(BigInt(chunk))
    return row ? toFloats(row.vector) : null
  }

  /**
   * Returns the nearest of the chunks selected by a query (one column of ids), found by comparing
   * every vector of the table.
   */
  nearest(vector: Float32Array, limit: number): number[] {
    return this.#near(vector.length)
      .all(bytesOf(vector), BigInt(limit))
      .map(({ id }) => id)
  }

  /** Returns the total number of vectors. */
  count(): number {
    return this.#listTables
      .all()
      .reduce(
        (sum, table) =>
          sum + this.#sqlite.prepare<[], number>(`select count(*) from ${table}`).pluck().get()!,
        0,
      )
  }
}

import type { IndexingStore } from './store.ts'
import type {
  BegunVersion,
  DocumentRow,
  EmbeddedChunk,
  VersionMaking,
  VersionStore,
} from './version-store.ts'
import type { PoliteWriter } from './write-politely.ts'

/** Versions in the SQLite file, written in transactions as short as the main thread requires. */
export class SqliteVersions implements VersionStore {
  readonly #store: IndexingStore
  readonly #writer: PoliteWriter

  constructor(store: IndexingStore, writer: PoliteWriter) {
    this.#store = store
    this.#writer = writer
  }

  read(id: string): DocumentRow | null {
    return this.#store.read(id)
  }

  begin(row: DocumentRow, { engine, splitting, ...totals }: VersionMaking): BegunVersion {
    return this.#store.transaction(() => {
      const seq = this.#store.begin(row, engine, splitting)
      return { seq, firstChunk: this.#store.reserve(seq, totals) }
    })
  }

  openVectors(seq: number, dimensions: number): void {
    this.#store.transaction(() => this.#store.openVectors(seq, dimensions))
  }

  async write(
    version: { readonly seq: number; readonly name: string },
    firstChunk: number,
    chunks: readonly EmbeddedChunk[],
  ): Promise<void> {
    let written = 0
    await this.#writer.run((rows) => {
      const some = chunks.slice(written, written + rows)
      this.#store.write(version, firstChunk + written, some)
      written += some.length
      return written < chunks.length
    })
  }

  discard(seq: number): void {
    this.#store.transaction(() => this.#store.discard(seq))
  }
}

import { nextTurn } from '../../lib/turns.ts'
import type { Storage } from '../../storage/index.ts'
import { splitText } from './split-text.ts'
import { TextStore } from './store.ts'

/** Number of chunks per transaction, about half a megabyte. */
const BATCH = 8

/**
 * Texts of files in versions consisting of chunks. A version is valid once the file refers to it.
 */
export class Texts {
  readonly #store: TextStore
  readonly #writing = new Set<string>()

  constructor(storage: Storage) {
    this.#store = new TextStore(storage)
  }

  /**
   * Writes a new version in steps, so that other requests are served in between; resolves with its
   * number.
   */
  async write(fileId: string, text: string): Promise<number> {
    this.#writing.add(fileId)
    try {
      return await this.#writePieces(fileId, text)
    } finally {
      this.#writing.delete(fileId)
    }
  }

  /** Yields the chunks of a version, read one by one. */
  async *pieces(fileId: string, version: number): AsyncGenerator<string> {
    for (let seq = 0; ; seq += 1) {
      const piece = await this.#store.piece(fileId, version, seq)
      if (piece === null) return
      yield piece
    }
  }

  async read(fileId: string, version: number): Promise<string> {
    return (await Array.fromAsync(this.pieces(fileId, version))).join('')
  }

  /** Same as `read`, in steps, so that other requests are served in between. */
  async readInTurns(fileId: string, version: number): Promise<string> {
    const read: string[] = []
    for await (const piece of this.pieces(fileId, version)) {
      read.push(piece)
      if (read.length % BATCH === 0) await nextTurn()
    }
    return read.join('')
  }

  /** Removes the versions a file no longer refers to. */
  async keepOnly(fileId: string, version: number): Promise<void> {
    await this.#store.removeOther(fileId, version)
  }

  /** Removes versions that a previous process left unfinished. */
  async tidy(): Promise<void> {
    for (const { id, text_version } of await this.#store.stale()) {
      if (!this.#writing.has(id)) await this.#store.removeOther(id, text_version)
      await nextTurn()
    }
  }

  async #writePieces(fileId: string, text: string): Promise<number> {
    const version = (await this.#store.lastVersion(fileId)) + 1
    let batch: { seq: number; text: string }[] = []
    let seq = 0
    for (const piece of splitText(text)) {
      batch.push({ seq, text: piece })
      seq += 1
      if (batch.length < BATCH) continue
      await this.#store.insert(fileId, version, batch)
      batch = []
      await nextTurn()
    }
    if (batch.length > 0) await this.#store.insert(fileId, version, batch)
    return version
  }
}

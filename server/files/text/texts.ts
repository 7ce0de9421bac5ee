import { nextTurn } from '../../lib/turns.ts'
import type { Storage } from '../../storage/index.ts'
import { splitText } from './split-text.ts'
import { TextStore } from './store.ts'

/** Texts of files in versions of pieces. A version counts once the file names it. */
export interface Texts {
  /** Writes a new version in steps, others being served in between; answers its number. */
  write(fileId: string, text: string): Promise<number>
  /** Pieces of a version, read one by one. */
  pieces(fileId: string, version: number): AsyncGenerator<string>
  read(fileId: string, version: number): Promise<string>
  /** The same in steps, others being served in between. */
  readInTurns(fileId: string, version: number): Promise<string>
  /** Removes the versions a file no longer names. */
  keepOnly(fileId: string, version: number): Promise<void>
  /** Removes what a former process had not finished. */
  tidy(): Promise<void>
}

/** Pieces of one transaction, about half a megabyte. */
const BATCH = 8

export function createTexts(storage: Storage): Texts {
  const store = new TextStore(storage)
  const writing = new Set<string>()

  async function write(fileId: string, text: string): Promise<number> {
    const version = (await store.lastVersion(fileId)) + 1
    let batch: { seq: number; text: string }[] = []
    let seq = 0
    for (const piece of splitText(text)) {
      batch.push({ seq, text: piece })
      seq += 1
      if (batch.length < BATCH) continue
      await store.insert(fileId, version, batch)
      batch = []
      await nextTurn()
    }
    if (batch.length > 0) await store.insert(fileId, version, batch)
    return version
  }

  async function* pieces(fileId: string, version: number): AsyncGenerator<string> {
    for (let seq = 0; ; seq += 1) {
      const piece = await store.piece(fileId, version, seq)
      if (piece === null) return
      yield piece
    }
  }

  return {
    pieces,
    read: async (fileId, version) => [...(await Array.fromAsync(pieces(fileId, version)))].join(''),
    async readInTurns(fileId, version) {
      const read: string[] = []
      for await (const piece of pieces(fileId, version)) {
        read.push(piece)
        if (read.length % BATCH === 0) await nextTurn()
      }
      return read.join('')
    },
    async write(fileId, text) {
      writing.add(fileId)
      try {
        return await write(fileId, text)
      } finally {
        writing.delete(fileId)
      }
    },
    keepOnly: (fileId, version) => store.removeOther(fileId, version),
    async tidy() {
      for (const { id, text_version } of await store.stale()) {
        if (!writing.has(id)) await store.removeOther(id, text_version)
        await nextTurn()
      }
    },
  }
}

// Stores the database in blocks of a fixed size, each under the hash of its bytes: blocks that two
// snapshots share are stored once.
import { createHash } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { compress, decompress } from './compress.ts'
import { DamagedSnapshotError } from './snapshot.ts'
import { growingPieceAt, makeShelf, pieceAt } from './stored-pieces.ts'

export const BLOCK_BYTES = 64 * 1024

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Reads the bytes of a block; null if it is missing or does not match its hash. */
function readBlock(folder: string, hash: string): Buffer | null {
  try {
    const bytes = decompress(readFileSync(pieceAt(folder, hash)), BLOCK_BYTES)
    return hashOf(bytes) === hash ? bytes : null
  } catch {
    // A block with any error counts as missing.
    return null
  }
}

function writeBlock(folder: string, hash: string, bytes: Buffer): number {
  makeShelf(folder, hash)
  const growing = growingPieceAt(folder, hash)
  const compressed = compress(bytes)
  const file = openSync(growing, 'w', 0o600)
  try {
    writeSync(file, compressed)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(growing, pieceAt(folder, hash))
  return compressed.length
}

/**
 * Stores a file in blocks; returns their hashes in order and the added bytes. An existing block is
 * verified, because a damaged one would ruin this snapshot too, and repaired.
 */
export function storeBlocks(folder: string, source: string): { hashes: string[]; added: number } {
  const hashes: string[] = []
  let added = 0
  const buffer = Buffer.alloc(BLOCK_BYTES)
  const file = openSync(source, 'r')
  try {
    for (;;) {
      const length = readSync(file, buffer, 0, BLOCK_BYTES, null)
      if (length === 0) return { hashes, added }
      const bytes = buffer.subarray(0, length)
      const hash = hashOf(bytes)
      if (readBlock(folder, hash) === null) added += writeBlock(folder, hash, bytes)
      hashes.push(hash)
    }
  } finally {
    closeSync(file)
  }
}

/** Reassembles a file; each block is compared with its hash. */
export function joinBlocks(folder: string, hashes: readonly string[], target: string): void {
  const file = openSync(target, 'wx', 0o600)
  try {
    for (const hash of hashes) {
      const bytes = readBlock(folder, hash)
      if (bytes === null)
        throw new DamagedSnapshotError(
          'This snapshot is damaged: a part of its database is missing or was changed. Nothing was brought back from it; choose another one.',
        )
      writeSync(file, bytes)
    }
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

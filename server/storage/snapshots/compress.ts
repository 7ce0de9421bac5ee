import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** Places of the numbers that the thread of snapshots shares with the one that may end it. */
const IS_COMPRESSING = 0
const IS_ENDING = 1

/**
 * Creates the numbers by which a thread and the one that may end it take turns: the first calls
 * `shareTurns`, the other `waitForCompression` before it terminates it.
 */
export const createTurns = (): Int32Array =>
  new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))

let turns: Int32Array | null = null

/** Must be called by a thread that another one may end, before it compresses: see `createTurns`. */
export function shareTurns(given: Int32Array): void {
  turns = given
}

/**
 * Waits until the thread is not compressing, and will not begin again: it can be ended then. Node
 * ends the whole process if a thread is terminated while it creates a compressor.
 */
export async function waitForCompression(given: Int32Array): Promise<void> {
  Atomics.store(given, IS_ENDING, 1)
  const { value } = Atomics.waitAsync(given, IS_COMPRESSING, 1)
  await value
}

function leave(given: Int32Array): void {
  Atomics.store(given, IS_COMPRESSING, 0)
  Atomics.notify(given, IS_COMPRESSING)
}

function uninterrupted<Result>(work: () => Result): Result {
  if (!turns) return work()
  Atomics.store(turns, IS_COMPRESSING, 1)
  if (Atomics.load(turns, IS_ENDING) === 1) {
    leave(turns)
    // Rests here until it is terminated.
    Atomics.wait(turns, IS_ENDING, 1)
  }
  try {
    return work()
  } finally {
    leave(turns)
  }
}

export const compress = (bytes: Buffer | string): Buffer =>
  uninterrupted(() => zstdCompressSync(bytes))

/** Throws if the bytes are damaged, or longer than `longest`. */
export const decompress = (bytes: Buffer, longest?: number): Buffer =>
  uninterrupted(() =>
    zstdDecompressSync(bytes, longest === undefined ? {} : { maxOutputLength: longest }),
  )

import { createHash } from 'node:crypto'
import { BucketFault, toServiceError } from './faults.ts'

/** Expected length and hash. */
export interface ExpectedBytes {
  readonly length: number
  /** SHA-256 of the whole; null for a part. */
  readonly hash: string | null
}

const otherBytes = (code: string): BucketFault => new BucketFault('other-bytes', code)

/**
 * Passes bytes on as they arrive. The last chunk is held back until all of them have been checked,
 * so that the reader receives either all of them or an error.
 */
export async function* checkedBytes(
  body: AsyncIterable<Uint8Array>,
  { length, hash }: ExpectedBytes,
): AsyncGenerator<Uint8Array, void, void> {
  const hashed = hash === null ? null : createHash('sha256')
  let count = 0
  try {
    for await (const piece of body) {
      count += piece.length
      hashed?.update(piece)
      if (count > length) throw otherBytes('TooLong')
      if (count === length && hashed && hashed.copy().digest('hex') !== hash)
        throw otherBytes('WrongHash')
      yield piece
    }
    if (count < length) throw otherBytes('TooShort')
  } catch (error) {
    throw toServiceError(error)
  }
}

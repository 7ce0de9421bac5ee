import type { EmbeddingRequest } from '#contract/embeddings.ts'

const HEAD_BYTES = 1024 * 1024
/** Room for 16,384 numbers, each on a line of its own. */
const VECTOR_BYTES = 512 * 1024
const MOST_BYTES = 256 * 1024 * 1024

/** Returns how many bytes a reply may have, so that one vector cannot take the memory of thousands. */
export function largestEmbeddings({ input }: EmbeddingRequest): number {
  const isOne = typeof input === 'string' || typeof input[0] === 'number'
  return Math.min(HEAD_BYTES + (isOne ? 1 : input.length) * VECTOR_BYTES, MOST_BYTES)
}

/**
 * Vectors of a passage each, by the passage's id, in a table for each number of values. The 32-bit
 * floats there are of unit length and the truth; the index holds 16-bit ones.
 */
export const vectorTableOf = (dimensions: number): string => `retrieval_vector_${dimensions}`

/** More values an index of pgvector cannot hold; such vectors are all compared. */
export const MOST_INDEXED = 4000

/** A vector as the index holds it; the same text in the index and in what is sorted by it. */
export const halfOf = (expression: string, dimensions: number): string =>
  `((${expression})::halfvec(${dimensions}))`

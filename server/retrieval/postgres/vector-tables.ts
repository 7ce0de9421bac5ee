/**
 * Returns the table of vectors by passage id; there is one for each number of values. Its 32-bit
 * floats have unit length and are authoritative; the index contains 16-bit ones.
 */
export const vectorTableOf = (dimensions: number): string => `retrieval_vector_${dimensions}`

/** Maximum number of values for an index of pgvector; longer vectors are all compared. */
export const MOST_INDEXED = 4000

/**
 * Returns a vector in the precision of the index; the same text must be used in the index and for
 * sorting by it.
 */
export const halfOf = (expression: string, dimensions: number): string =>
  `((${expression})::halfvec(${dimensions}))`

/** Returns the width of a row of codes, padded to whole SIMD registers. */
export const paddedWidth = (dimensions: number): number => Math.ceil(dimensions / 16) * 16

/** Vectors as bytes: code × scale ≈ value. */
export interface Codes {
  readonly codes: Int8Array
  readonly scales: Float32Array
}

/** Quantises to eight bits per value, the largest of each vector being 127. */
export function quantise(vectors: readonly Float32Array[], dimensions: number): Codes {
  const width = paddedWidth(dimensions)
  const codes = new Int8Array(vectors.length * width)
  const scales = new Float32Array(vectors.length)
  for (const [row, vector] of vectors.entries()) {
    let largest = 0
    for (let place = 0; place < dimensions; place += 1)
      largest = Math.max(largest, Math.abs(vector[place]!))
    const factor = largest === 0 ? 0 : 127 / largest
    scales[row] = largest / 127
    for (let place = 0; place < dimensions; place += 1)
      codes[row * width + place] = Math.round(vector[place]! * factor)
  }
  return { codes, scales }
}

/**
 * Largest value of a query's codes; finer than those of passages, because it costs nothing. Sums of
 * 4096 products fit 32 bits.
 */
const FINEST = 2047

/**
 * Quantises a query to 16-bit codes; its scale is irrelevant, because it is the same for every
 * passage.
 */
export function quantiseQuery(vector: Float32Array): Int16Array {
  const codes = new Int16Array(paddedWidth(vector.length))
  let largest = 0
  for (const value of vector) largest = Math.max(largest, Math.abs(value))
  if (largest === 0) return codes
  for (const [place, value] of vector.entries())
    codes[place] = Math.round((value * FINEST) / largest)
  return codes
}

/** Returns the exact dot product of two vectors of unit length: the cosine of their angle. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let [first, second, third, fourth] = [0, 0, 0, 0]
  let place = 0
  for (; place + 3 < a.length; place += 4) {
    first += a[place]! * b[place]!
    second += a[place + 1]! * b[place + 1]!
    third += a[place + 2]! * b[place + 2]!
    fourth += a[place + 3]! * b[place + 3]!
  }
  for (; place < a.length; place += 1) first += a[place]! * b[place]!
  return first + second + third + fourth
}

/** Returns the vector at unit length; a zero vector stays unchanged. */
export function toUnitLength(vector: Float32Array): Float32Array {
  const length = Math.sqrt(cosine(vector, vector))
  return length === 0 || !Number.isFinite(length)
    ? new Float32Array(vector.length)
    : vector.map((value) => value / length)
}

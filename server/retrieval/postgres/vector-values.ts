/** Bytes before the values of a vector: how many there are, and two that mean nothing. */
const HEAD_BYTES = 4
const FLOAT_BYTES = 4
/** Before the items of an array: dimensions, flags, type, length, first place. */
const ARRAY_HEAD_BYTES = 20

const sizeOf = (vector: Float32Array): number => HEAD_BYTES + vector.length * FLOAT_BYTES

function writeVector(bytes: Buffer, at: number, vector: Float32Array): void {
  bytes.writeInt16BE(vector.length, at)
  let place = at + HEAD_BYTES
  for (const value of vector) place = bytes.writeFloatBE(value, place)
}

/** A vector as pgvector sends and takes it, which is exact and short. */
export function toVectorBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(sizeOf(vector))
  writeVector(bytes, 0, vector)
  return bytes
}

/** Several vectors as one value of the type `vector[]`; `type` is the number of `vector`. */
export function toVectorArrayBytes(vectors: readonly Float32Array[], type: number): Buffer {
  const items = vectors.reduce((sum, vector) => sum + FLOAT_BYTES + sizeOf(vector), 0)
  const bytes = Buffer.alloc(ARRAY_HEAD_BYTES + items)
  let at = bytes.writeInt32BE(1, 0)
  at = bytes.writeInt32BE(0, at)
  at = bytes.writeUInt32BE(type, at)
  at = bytes.writeInt32BE(vectors.length, at)
  at = bytes.writeInt32BE(1, at)
  for (const vector of vectors) {
    at = bytes.writeInt32BE(sizeOf(vector), at)
    writeVector(bytes, at, vector)
    at += sizeOf(vector)
  }
  return bytes
}

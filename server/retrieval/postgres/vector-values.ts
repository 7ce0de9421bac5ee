/** Size of the header before a vector's values: their number, and two unused bytes. */
const HEAD_BYTES = 4
const FLOAT_BYTES = 4
/** Size of the header before an array's items: dimensions, flags, type, length, lower bound. */
const ARRAY_HEAD_BYTES = 20

const sizeOf = (vector: Float32Array): number => HEAD_BYTES + vector.length * FLOAT_BYTES

function writeVector(bytes: Buffer, at: number, vector: Float32Array): void {
  bytes.writeInt16BE(vector.length, at)
  let place = at + HEAD_BYTES
  for (const value of vector) place = bytes.writeFloatBE(value, place)
}

/** Encodes a vector in pgvector's binary format, which is exact and short. */
export function toVectorBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(sizeOf(vector))
  writeVector(bytes, 0, vector)
  return bytes
}

/** Encodes several vectors as one value of the type `vector[]`; `type` is the OID of `vector`. */
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

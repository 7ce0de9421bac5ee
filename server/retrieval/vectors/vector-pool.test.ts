import { describe, expect, it } from 'vitest'
import { cosine, quantise, quantiseQuery, toUnitLength } from './quantise.ts'
import { createScan } from './scan-program.ts'
import { SLAB_BYTES } from './slab.ts'
import { VectorPool, type CodeRows, type VectorDocument } from './vector-pool.ts'

/** Returns the same sequence of numbers every time. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 0) / 2 ** 32 - 0.5
  }
}

const bytesOf = (array: Float32Array | Int8Array): Buffer =>
  Buffer.from(array.buffer, array.byteOffset, array.byteLength)

function createDocuments(random: () => number, dimensions: number, sizes: readonly number[]) {
  const vectors = new Map<number, Float32Array>()
  let next = 1
  const documents = sizes.map((chunks, place): VectorDocument & { rows: CodeRows[] } => {
    const own = Array.from({ length: chunks }, () =>
      toUnitLength(Float32Array.from({ length: dimensions }, random)),
    )
    for (const [row, vector] of own.entries()) vectors.set(next + row, vector)
    const rows: CodeRows[] = []
    for (let from = 0; from < chunks; from += 50) {
      const { codes, scales } = quantise(own.slice(from, from + 50), dimensions)
      rows.push({
        first_chunk: next + from,
        chunks: Math.min(50, chunks - from),
        codes: bytesOf(codes),
        scales: bytesOf(scales),
      })
    }
    const document = { seq: place + 1, firstChunk: next, chunks, rows }
    next += chunks
    return document
  })
  return { documents, vectors }
}

describe('the scan', () => {
  it('answers the exact product of codes for any width and count', () => {
    const random = createRandom(5)
    for (const width of [16, 32, 272, 384, 4096]) {
      const memory = new WebAssembly.Memory({ initial: 8 })
      const scan = createScan(memory)
      const count = 7
      const [rows, scales] = [width * 2, width * 2 + count * width]
      const query = new Int16Array(memory.buffer, 0, width).map(() => Math.round(random() * 4094))
      new Int16Array(memory.buffer, 0, width).set(query)
      const codes = new Int8Array(memory.buffer, rows, count * width)
      for (let place = 0; place < codes.length; place += 1)
        codes[place] = Math.round(random() * 254)
      new Float32Array(memory.buffer, scales, count).fill(0.25)
      scan(rows, count, width, 0, scales, scales + count * 4)
      const scores = new Float32Array(memory.buffer, scales + count * 4, count)
      for (let row = 0; row < count; row += 1) {
        let sum = 0
        for (let place = 0; place < width; place += 1)
          sum += codes[row * width + place]! * query[place]!
        expect(scores[row]).toBeCloseTo(Math.fround(Math.fround(sum) * 0.25), 1)
      }
    }
  })

  it('makes codes of a zero vector that are near to nothing', () => {
    expect([...quantiseQuery(new Float32Array(20))]).toEqual(Array.from({ length: 32 }, () => 0))
    expect(toUnitLength(new Float32Array(3))).toEqual(new Float32Array(3))
  })
})

describe('the vector pool', () => {
  const dimensions = 100
  const sizes = Array.from({ length: 60 }, (_, place) => (place * 37) % 130)

  it('finds the nearest chunks of exactly the given documents', () => {
    const random = createRandom(11)
    const { documents, vectors } = createDocuments(random, dimensions, sizes)
    const pool = new VectorPool(dimensions, ({ seq }) => documents[seq - 1]!.rows, SLAB_BYTES)
    let found = 0
    for (let round = 0; round < 30; round += 1) {
      const scope = documents.filter((_, place) => (place * 7 + round) % 3 !== 0)
      const query = toUnitLength(Float32Array.from({ length: dimensions }, random))
      const inScope = (id: number) =>
        scope.some(({ firstChunk, chunks }) => id >= firstChunk && id < firstChunk + chunks)
      const exact = [...vectors]
        .filter(([id]) => inScope(id))
        .map(([id, vector]) => ({ id, score: cosine(query, vector) }))
      const wanted = exact.sort((a, b) => b.score - a.score).slice(0, 10)
      const [near] = pool.search(scope, [query], 40)
      expect(near!.every(({ id }) => inScope(id))).toBe(true)
      found += wanted.filter(({ id }) => near!.some((hit) => hit.id === id)).length
    }
    expect(found / 300).toBeGreaterThanOrEqual(0.995)
  })

  it('answers the same while documents come and go for want of room', () => {
    const random = createRandom(3)
    const wide = 4096
    const { documents } = createDocuments(random, wide, [1800, 1800, 1800, 1800, 1800])
    const readCodes = ({ seq }: VectorDocument) => documents[seq - 1]!.rows
    const roomy = new VectorPool(wide, readCodes, SLAB_BYTES * 20)
    const tight = new VectorPool(wide, readCodes, 1)
    for (let round = 0; round < 4; round += 1) {
      const query = Float32Array.from({ length: wide }, random)
      const scope = documents.slice(0, 2 + round)
      expect(tight.search(scope, [query], 20)).toEqual(roomy.search(scope, [query], 20))
    }
    expect(tight.bytes()).toBeLessThanOrEqual(SLAB_BYTES * 1.1)
    expect(roomy.bytes()).toBeGreaterThan(SLAB_BYTES)
  }, 60_000)

  it('gives room back when documents are gone', () => {
    const { documents } = createDocuments(createRandom(1), dimensions, [400, 400, 400])
    const pool = new VectorPool(dimensions, ({ seq }) => documents[seq - 1]!.rows, SLAB_BYTES)
    const query = new Float32Array(dimensions).fill(0.1)
    pool.search(documents, [query], 5)
    const before = pool.bytes()
    pool.retain((seq) => seq === 2)
    expect(pool.bytes()).toBeLessThan(before)
    expect(pool.search([documents[1]!], [query], 3)[0]).toHaveLength(3)
  })
})

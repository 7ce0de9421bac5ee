import type { LlamaContextSequence, Token } from 'node-llama-cpp'
import { afterEach, expect, it, vi } from 'vitest'
import { readInPieces } from './read-in-pieces.ts'

const WRITTEN = 7 as Token

afterEach(() => vi.restoreAllMocks())

/** A sequence whose pieces take a fixed time for each token; returns their sizes. */
async function read(
  tokens: number,
  { perToken, batchSize = 512 }: { perToken: number; batchSize?: number },
): Promise<number[]> {
  const sizes: number[] = []
  let clock = 0
  vi.spyOn(performance, 'now').mockImplementation(() => clock)
  const sequence = {
    context: { batchSize },
    async evaluateWithoutGeneratingNewTokens(piece: readonly Token[]) {
      sizes.push(piece.length)
      clock += piece.length * perToken
    },
    async *evaluate(piece: readonly Token[]) {
      sizes.push(piece.length)
      yield WRITTEN
    },
  } as unknown as LlamaContextSequence
  readInPieces(sequence, new AbortController().signal)
  const question = Array.from({ length: tokens }, () => 1 as Token)
  for await (const token of sequence.evaluate(question)) expect(token).toBe(WRITTEN)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(tokens)
  return sizes
}

it('never makes a piece smaller than what the library reads fast, however slow the computer is', async () => {
  const sizes = await read(1000, { perToken: 20 })
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(64)
  for (const size of sizes.slice(0, -1)) expect(size % 64).toBe(0)
})

it('makes pieces as large as their time allows', async () => {
  const sizes = await read(3000, { perToken: 0.2 })
  expect(Math.max(...sizes.slice(0, -1))).toBe(192)
  expect(sizes.at(-1)! * 0.2).toBeLessThanOrEqual(60)
})

it('reads no last piece that takes more than one batch', async () => {
  const sizes = await read(1000, { perToken: 20, batchSize: 64 })
  expect(Math.max(...sizes)).toBe(64)
})

it('reads a short question at once', async () => {
  expect(await read(100, { perToken: 20 })).toEqual([100])
})

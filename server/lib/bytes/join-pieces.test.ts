import { expect, it } from 'vitest'
import { joinPieces } from './join-pieces.ts'

const memory = Buffer.from('one two three')
const NOTHING = Buffer.alloc(0)

it('pieces that lie behind each other in memory are one without a copy', () => {
  const joined = joinPieces([memory.subarray(0, 4), NOTHING, memory.subarray(4, 8)])
  expect(joined.toString()).toBe('one two ')
  expect([joined.buffer, joined.byteOffset]).toEqual([memory.buffer, memory.byteOffset])
})

it.each([
  [[], ''],
  [[NOTHING], ''],
  [[memory.subarray(4, 8), memory.subarray(0, 4)], 'two one '],
  [[memory.subarray(0, 4), memory.subarray(8)], 'one three'],
  [[memory.subarray(0, 4), Buffer.from('x')], 'one x'],
])('others are put together: %#', (pieces, text) => {
  expect(joinPieces(pieces).toString()).toBe(text)
})

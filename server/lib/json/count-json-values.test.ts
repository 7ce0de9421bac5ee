import { expect, test, vi } from 'vitest'
import { countJsonValues } from './count-json-values.ts'
import { JsonMeter } from './json-bounds.ts'

const BOUNDS = { values: 1000, levels: 10 }
const count = (text: string): number | null => countJsonValues(Buffer.from(text), BOUNDS)

test('Values and levels are counted to their limits', () => {
  expect(count('{"a":[1,2]}')).toBe(4)
  expect(count(`[${'0,'.repeat(997)}0]`)).toBe(999)
  expect(count(`[${'0,'.repeat(1000)}0]`)).toBeNull()
  expect(count('['.repeat(10) + ']'.repeat(10))).not.toBeNull()
  expect(count('['.repeat(11))).toBeNull()
})

test('Texts are skipped, wherever a slice ends', () => {
  const text = JSON.stringify(['a,{}"\\'.repeat(50_000), 'b,'.repeat(70_001)])
  expect(count(text)).toBe(3)
})

test('A text beyond the limit is not read to its end', () => {
  const take = vi.spyOn(JsonMeter.prototype, 'take')
  try {
    expect(count('{},'.repeat(1_000_000))).toBeNull()
    expect(take.mock.calls.map(([piece]) => piece.length)).toEqual([64 * 1024])
  } finally {
    take.mockRestore()
  }
})

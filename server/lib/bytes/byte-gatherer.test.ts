import { expect, it } from 'vitest'
import { ByteGatherer } from './byte-gatherer.ts'

const piece = (length: number, seed: number): Buffer => Buffer.alloc(length, `${seed} bytes `)

it.each([
  ['few bytes', 0, [10, 0, 300]],
  ['many bytes of a known length', 3_000_000, [600_000, 600_000, 1_000_000, 800_000]],
  ['more than was said', 1_200_000, [900_000, 900_000, 1_500_000]],
  ['many bytes of an unknown length', 0, [100, 5_000_000, 5_000_000, 9_000_000, 1]],
])('%s come out as they came', (_, expected, lengths) => {
  const gatherer = new ByteGatherer(expected)
  const pieces = lengths.map(piece)
  for (let round = 0; round < 2; round += 1) {
    for (const each of pieces) gatherer.push(Buffer.from(each))
    expect(gatherer.take().equals(Buffer.concat(pieces))).toBe(true)
    expect(gatherer.size).toBe(0)
  }
})

it('bytes written where they belong are not copied, and others may come between them', () => {
  const gatherer = new ByteGatherer()
  const pieces = [piece(2_000_000, 1), piece(1_000_000, 2), piece(3_000_000, 3), piece(10, 4)]
  expect(gatherer.room(10)).toBeNull()
  gatherer.push(pieces[0]!)
  const room = gatherer.room(2_000_000)!
  pieces[1]!.copy(room)
  gatherer.push(room.subarray(0, pieces[1]!.length))
  gatherer.push(pieces[2]!)
  const last = gatherer.room(10)!
  pieces[3]!.copy(last)
  gatherer.push(Buffer.from(last))
  expect(gatherer.room(8 * 1024 * 1024)).toBeNull()
  expect(gatherer.take().equals(Buffer.concat(pieces))).toBe(true)
  expect(gatherer.room(1)).toBeNull()
})

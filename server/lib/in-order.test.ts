import { expect, it } from 'vitest'
import {
  everyInOrder,
  filterInOrder,
  findInOrder,
  flatMapInOrder,
  mapInOrder,
  someInOrder,
} from './in-order.ts'

/** Counts the turns of the event loop that pass while something is done. */
async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let timer = setImmediate(function look() {
    turns += 1
    timer = setImmediate(look)
  })
  await work()
  clearImmediate(timer)
  return turns
}

const spin = (milliseconds: number): void => {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

const VALUES = Array.from({ length: 60 }, (_, place) => place)

type Loop = (
  values: Iterable<number>,
  work: (value: number) => Promise<boolean>,
) => Promise<unknown>
const LOOPS: Record<string, Loop> = {
  mapInOrder,
  flatMapInOrder,
  filterInOrder,
  findInOrder,
  someInOrder,
}

it.each(Object.entries(LOOPS))(
  '%s lets others be served between values that take long together',
  async (_, each) => {
    const seen: number[] = []
    const turns = await countTurns(() =>
      each(VALUES, async (value) => {
        spin(1)
        seen.push(value)
        return false
      }),
    )
    expect(seen).toEqual(VALUES)
    // A slice lasts five milliseconds, so sixty values of a millisecond each take at least ten
    // slices.
    expect(turns).toBeGreaterThanOrEqual(8)
  },
)

it('few short values are done in one turn', async () => {
  await new Promise((resolve) => setImmediate(resolve))
  expect(await countTurns(() => mapInOrder([1, 2, 3], async (value) => value))).toBe(0)
})

it('each answers what its namesake of arrays does, and the ones that look ask no further', async () => {
  const asked: number[] = []
  const isTwo = async (value: number): Promise<boolean> => {
    asked.push(value)
    return value === 2
  }
  expect(await filterInOrder([1, 2, 3, 2], isTwo)).toEqual([2, 2])
  expect(await flatMapInOrder([1, 2], async (value) => [value, value])).toEqual([1, 1, 2, 2])
  asked.length = 0
  expect(await findInOrder([1, 2, 3], isTwo)).toBe(2)
  expect(await someInOrder([1, 2, 3], isTwo)).toBe(true)
  expect(await everyInOrder([2, 1, 3], isTwo)).toBe(false)
  expect(asked).toEqual([1, 2, 1, 2, 2, 1])
  expect(await findInOrder([1, 3], isTwo)).toBeUndefined()
  expect(await someInOrder([1, 3], isTwo)).toBe(false)
  expect(await everyInOrder([2, 2], isTwo)).toBe(true)
  expect(await everyInOrder([], isTwo)).toBe(true)
})

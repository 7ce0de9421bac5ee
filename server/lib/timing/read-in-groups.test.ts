import { expect, it } from 'vitest'
import { groupBySize, readInGroups } from './read-in-groups.ts'

const sized = (...sizes: number[]) => sizes.map((bytes, place) => ({ id: `r${place}`, bytes }))

it('rows are read in groups of a few, and in smaller ones if they are long', () => {
  const many = Array.from({ length: 130 }, () => 10)
  expect([...groupBySize(sized(...many))].map(({ length }) => length)).toEqual([64, 64, 2])
  expect([...groupBySize(sized(200_000, 50_000, 50_000, 900_000, 1))]).toEqual([
    ['r0', 'r1'],
    ['r2'],
    ['r3'],
    ['r4'],
  ])
  expect([...groupBySize([])]).toEqual([])
})

it('rows come in the order of their ids, without those deleted meanwhile', async () => {
  const asked: (readonly string[])[] = []
  const read = async (ids: readonly string[]) => {
    asked.push(ids)
    return ids
      .filter((id) => id !== 'r1')
      .toReversed()
      .map((id) => ({ id }))
  }
  const rows = await Array.fromAsync(readInGroups(sized(1, 1, 300_000, 1), read))
  expect(rows.map(({ id }) => id)).toEqual(['r0', 'r2', 'r3'])
  expect(asked).toEqual([['r0', 'r1'], ['r2'], ['r3']])
})

import { expect, test } from 'vitest'
import { eachLimited } from './each-limited.ts'

test('every item gets its turn, never more at a time than allowed, and failures are told', async () => {
  let running = 0
  let most = 0
  const seen: number[] = []
  const failures = await eachLimited(
    [1, 2, 3, 4, 5, 6, 7],
    async (item) => {
      most = Math.max(most, ++running)
      await Promise.resolve()
      running -= 1
      seen.push(item)
      if (item === 3) throw new Error('no')
    },
    2,
  )
  expect(seen.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(most).toBe(2)
  expect(failures.map(({ item }) => item)).toEqual([3])
})

import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { LongSaves } from './long-saves.ts'

function keepBusy(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

/** Counts turns of the event loop until `isOver`. */
async function countTurns(isOver: () => boolean, onTurn: (count: number) => void): Promise<void> {
  for (let count = 1; !isOver(); count += 1) {
    onTurn(count)
    await turn()
  }
}

test('saves of several answers come one by one in turns of their own, and one that is taken back does not come', async () => {
  const saves = new LongSaves()
  const saved: string[] = []
  const savedIn: number[] = []
  let now = 0
  const add = (name: string) =>
    saves.add(async () => {
      keepBusy(2)
      saved.push(name)
      savedIn.push(now)
    })
  add('a')
  const takeBack = add('b')
  add('c')
  add('d')
  takeBack()
  expect(saved).toEqual([])
  await countTurns(
    () => saved.length === 3,
    (count) => (now = count),
  )
  expect(saved).toEqual(['a', 'c', 'd'])
  expect(new Set(savedIn).size).toBe(3)
})

test('a save that comes after all others were done is done as well', async () => {
  const saves = new LongSaves()
  for (const name of ['a', 'b'])
    await new Promise<void>((resolve) => void saves.add(async () => resolve())).then(() =>
      expect(name).toBeTruthy(),
    )
})

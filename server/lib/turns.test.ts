import { setImmediate as nextLoop } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'

// A fresh copy of the module: work left by other test files of this process takes turns too.
vi.resetModules()
const { runInTurns } = await import('./turns.ts')

/** Returns the turn of the event loop in which each piece of work takes its first step. */
async function beginTogether(count: number): Promise<number[]> {
  let turn = 0
  let timer = setImmediate(function look() {
    turn += 1
    timer = setImmediate(look)
  })
  const begun: number[] = []
  function* work(): Generator<void, void> {
    begun.push(turn)
    yield
  }
  await Promise.all(Array.from({ length: count }, () => runInTurns(work())))
  clearImmediate(timer)
  return begun
}

test('pieces of work that come together begin one after the other, each in a turn of its own', async () => {
  const begun = await beginTogether(20)
  expect(new Set(begun).size).toBe(20)
  expect(begun[0]).toBe(0)
})

test('a piece of work that comes alone begins at once', async () => {
  for (let count = 0; count < 3; count += 1) {
    await nextLoop()
    await nextLoop()
    expect(await beginTogether(1)).toEqual([0])
  }
})

import { expect, test } from 'vitest'
import { RenderingTurns } from './rendering-turns.ts'

/** Starts tasks of accounts that end when they are told to. */
function createFixture() {
  const turns = new RenderingTurns()
  const started: string[] = []
  const ends: (() => void)[] = []
  const run = (userId: string, signal = new AbortController().signal): Promise<unknown> => {
    const asked = turns.run({ userId, signal }, () => {
      started.push(userId)
      return new Promise<void>((resolve) => void ends.push(resolve))
    })
    asked.catch(() => undefined)
    return asked
  }
  const endOne = async (): Promise<void> => {
    ends.shift()!()
    await new Promise(setImmediate)
  }
  return { run, started, endOne }
}

test('one account cannot take every place, and does not keep another one waiting behind its own', async () => {
  const { run, started, endOne } = createFixture()
  const own = Array.from({ length: 30 }, () => run('eve'))
  await expect(own.at(-1)).rejects.toMatchObject({ status: 429 })
  void run('ada')
  expect(started).toEqual(['eve', 'eve'])
  await endOne()
  // The other task of Eve still runs.
  expect(started).toEqual(['eve', 'eve', 'ada'])
})

test('a caller that leaves while it waits frees its place', async () => {
  const { run, started, endOne } = createFixture()
  const accounts = (count: number) => Array.from({ length: count }, (_, each) => `${each}`)
  for (const account of accounts(2)) void run(account)
  const leaving = new AbortController()
  const left = accounts(20).map((account) => run(`leaving ${account}`, leaving.signal))
  await expect(run('too late')).rejects.toMatchObject({ status: 503 })
  leaving.abort()
  for (const each of left) await expect(each).rejects.toMatchObject({ code: 'stopped' })
  void run('ada')
  await endOne()
  expect(started).toEqual(['0', '1', 'ada'])
})

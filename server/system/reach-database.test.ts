import { expect, test } from 'vitest'
import { reachDatabase } from './reach-database.ts'

const WAITING = { status: 503, message: 'Waiting for the database.' }

test('a database that answers is there, however it answers', async () => {
  expect(await reachDatabase({ ping: () => undefined })).toEqual({ status: true })
  expect(await reachDatabase({ ping: async () => undefined })).toEqual({ status: true })
})

test.each([
  [
    'throws',
    () => {
      throw new Error('closed')
    },
  ],
  ['rejects', () => Promise.reject(new Error('connection refused'))],
  ['never answers', () => new Promise<void>(() => undefined)],
])('one that %s is waited for no longer than the patience', async (_, ping) => {
  const began = performance.now()
  await expect(reachDatabase({ ping }, 100)).rejects.toMatchObject(WAITING)
  expect(performance.now() - began).toBeLessThan(2000)
})

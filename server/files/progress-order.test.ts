import { expect, it } from 'vitest'
import { createLogger } from '../lib/logger.ts'
import { Queue, type QueueDependencies } from './processing/queue.ts'

it('progress that is slow to be told comes before the end of its file', async () => {
  let job: string | null = 'process'
  const told: string[] = []
  const slow = Promise.withResolvers<void>()
  const queue = new Queue({
    files: {
      get: async () => ({ id: 'a', user_id: 'ada', attempts: 0, job }),
      update: async (_id: string, changes: { job?: null }) => {
        if (changes.job === null) job = null
        return true
      },
    },
    jobs: {
      next: async ({ ids }: { ids: Iterable<string> }) => ([...ids].length > 0 ? null : job && 'a'),
    },
    log: createLogger('silent'),
    work: async (_row: unknown, { onProgress }: { onProgress: (progress: unknown) => void }) => {
      onProgress({ stage: 'reading', done: 0, total: null })
      return {}
    },
    onChange: async (_id: string, progress: unknown) => {
      if (progress) await slow.promise
      told.push(progress ? 'progress' : 'end')
    },
    onGone: async () => undefined,
  } as unknown as QueueDependencies)
  await queue.start()
  setImmediate(slow.resolve)
  await expect.poll(() => told).toHaveLength(2)
  expect(told).toEqual(['progress', 'end'])
  await queue.close()
})

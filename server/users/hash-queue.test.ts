import { describe, expect, it } from 'vitest'
import { createHashQueue } from './hash-queue.ts'

function createJob() {
  const { promise, resolve } = Promise.withResolvers<void>()
  let started = false
  return {
    run: () => {
      started = true
      return promise
    },
    finish: resolve,
    hasStarted: () => started,
  }
}

describe('the hash queue', () => {
  it('runs as many jobs as it is wide and lets the next one in when one ends', async () => {
    const queue = createHashQueue({ width: 2 })
    const jobs = [createJob(), createJob(), createJob()]
    const results = jobs.map((job) => queue.run(job.run))
    await Promise.resolve()
    expect(jobs.map((job) => job.hasStarted())).toEqual([true, true, false])
    jobs[0]!.finish()
    await results[0]
    await Promise.resolve()
    expect(jobs[2]!.hasStarted()).toBe(true)
    jobs[1]!.finish()
    jobs[2]!.finish()
    await Promise.all(results)
  })

  it('answers 429 with Retry-After beyond its waiting line', async () => {
    const queue = createHashQueue({ width: 1, waiting: 1 })
    const jobs = [createJob(), createJob()]
    const results = jobs.map((job) => queue.run(job.run))
    await expect(queue.run(() => Promise.resolve())).rejects.toMatchObject({ status: 429, headers: { 'Retry-After': '5' } })
    for (const job of jobs) job.finish()
    await Promise.all(results)
    await expect(queue.run(() => Promise.resolve('free again'))).resolves.toBe('free again')
  })

  it('goes on after a job that failed', async () => {
    const queue = createHashQueue({ width: 1 })
    await expect(queue.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    await expect(queue.run(() => Promise.resolve(1))).resolves.toBe(1)
  })
})

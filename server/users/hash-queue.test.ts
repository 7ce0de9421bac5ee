import { describe, expect, it } from 'vitest'
import { HashQueue } from './hash-queue.ts'

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
    const queue = new HashQueue({ width: 2 })
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
    const queue = new HashQueue({ width: 1, waiting: 1 })
    const jobs = [createJob(), createJob()]
    const results = jobs.map((job) => queue.run(job.run))
    await expect(queue.run(() => Promise.resolve())).rejects.toMatchObject({
      status: 429,
      message: expect.stringContaining('1 may wait, which is a fixed number') as string,
      headers: { 'Retry-After': '5' },
    })
    for (const job of jobs) job.finish()
    await Promise.all(results)
    await expect(queue.run(() => Promise.resolve('free again'))).resolves.toBe('free again')
  })

  it('goes on after a job that failed', async () => {
    const queue = new HashQueue({ width: 1 })
    await expect(queue.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    await expect(queue.run(() => Promise.resolve(1))).resolves.toBe(1)
  })
})

describe('the lines of the hash queue', () => {
  it('take turns, so that a long one holds up no other', async () => {
    const queue = new HashQueue({ width: 1, waiting: 3 })
    const first = createJob()
    const order: string[] = []
    const enter = (line: 'known' | 'sign-in' | 'sign-up') =>
      queue.run(() => Promise.resolve(void order.push(line)), line)
    const running = queue.run(first.run, 'sign-up')
    const waiting = (['sign-up', 'sign-up', 'sign-up', 'sign-in', 'sign-in', 'known'] as const).map(
      enter,
    )
    await expect(enter('sign-up')).rejects.toMatchObject({
      status: 429,
      message: expect.stringContaining('making an account') as string,
    })
    first.finish()
    await Promise.all([running, ...waiting])
    expect(order.slice(0, 3).toSorted()).toEqual(['known', 'sign-in', 'sign-up'])
    expect(order.slice(3)).toEqual(['sign-in', 'sign-up', 'sign-up'])
  })
})

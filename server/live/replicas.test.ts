import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createLogger } from '../lib/logger.ts'
import type { Storage } from '../storage/index.ts'
import { createTestStorage } from '../testing/create-test-storage.ts'
import { Replicas } from './replicas.ts'
import { ReplicaStore } from './store.ts'

const BEAT_MILLISECONDS = 1000

describe('a gateway among others on a database', () => {
  let storage: Storage
  let others: ReplicaStore
  let isAway: boolean
  let heard: string[]
  let here: Replicas

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    storage = createTestStorage()
    others = new ReplicaStore(storage)
    isAway = false
    heard = []
    const reached = new Proxy(storage, {
      get(target, name) {
        if (isAway && (name === 'run' || name === 'all')) throw new Error('The database is away.')
        const found: unknown = Reflect.get(target, name)
        return typeof found === 'function' ? found.bind(target) : found
      },
    })
    here = new Replicas({ storage: reached, log: createLogger('silent'), self: 'here' })
    here.onGone((replica) => heard.push(`gone ${replica}`))
    here.onCome(() => heard.push('come'))
    await others.add('there')
    await here.open()
  })
  afterEach(() => here.close())

  /** Lets the gateway look around once more. */
  async function beat(): Promise<void> {
    const look = vi.spyOn(ReplicaStore.prototype, 'ages')
    const note = vi.spyOn(ReplicaStore.prototype, 'note')
    await vi.advanceTimersByTimeAsync(BEAT_MILLISECONDS)
    await vi.waitUntil(async () => {
      await Promise.all(look.mock.results.map(({ value }) => value))
      return isAway ? note.mock.calls.length > 0 : look.mock.calls.length > 0
    })
    await new Promise((resolve) => setImmediate(resolve))
    vi.restoreAllMocks()
  }

  const silence = (seconds: number) =>
    storage.run(
      storage.builder
        .updateTable('replica')
        .set(({ eb }) => ({ seen_at: eb('seen_at', '-', seconds) }))
        .where('id', '=', 'there'),
    )

  test('one that is removed is gone, and one that is back is noticed', async () => {
    await beat()
    expect(heard).toEqual([])
    await others.remove('there')
    await beat()
    expect(heard).toEqual(['gone there'])
    await others.add('there')
    await beat()
    expect(heard).toEqual(['gone there', 'come'])
  })

  test('the others are not gone because the database was away from everybody', async () => {
    await beat()
    isAway = true
    await beat()
    await silence(60)
    isAway = false
    await beat()
    expect(here.present).toEqual(new Set(['here', 'there']))
    expect(heard).toEqual([])
  })

  test('work that must not overlap takes turns, also after work that failed', async () => {
    const there = new Replicas({ storage, log: createLogger('silent'), self: 'there' })
    const order: string[] = []
    const work =
      (name: string, fails = false) =>
      async () => {
        order.push(`${name} begins`)
        await new Promise((resolve) => setImmediate(resolve))
        order.push(`${name} ends`)
        if (fails) throw new Error(name)
      }
    const outcomes = await Promise.allSettled([
      here.takeTurn('token', work('first', true)),
      there.takeTurn('token', work('second')),
      there.takeTurn('another token', work('third')),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
    const ofToken = order.filter((said) => !said.startsWith('third'))
    expect(ofToken).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
  })
})

import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createLogger } from '../../lib/logger.ts'
import type { Storage } from '../../storage/index.ts'
import { createTestStorage } from '../../testing/create-test-storage.ts'
import { ApiKeyStore, type StoredKey } from './api-key-store.ts'
import { SharedKeyUses } from './shared-key-uses.ts'

const CAP = 100
const key: StoredKey = {
  id: 'script',
  user_id: 'ada',
  limits: {
    expires_at: null,
    allowed_endpoints: null,
    allowed_models: null,
    daily_requests: null,
    daily_tokens: CAP,
  },
}

let storage: Storage
let store: ApiKeyStore
let here: SharedKeyUses
let there: SharedKeyUses
beforeEach(async () => {
  storage = createTestStorage()
  const person = { email: 'ada@example.com', name: 'Ada', role: 'user', is_first: 0 } as const
  await storage.run(
    storage.builder
      .insertInto('user')
      .values({ id: 'ada', ...person, created_at: 1, updated_at: 1 }),
  )
  for (const id of ['here', 'there'])
    await storage.run(storage.builder.insertInto('replica').values({ id, seen_at: 1 }))
  store = new ApiKeyStore(storage)
  const secret = { secret_hash: Buffer.from('hash'), hint: 'sk-…' }
  await store.insert({ ...key, ...secret, name: 'script', created_at: 1 })
  const log = createLogger('silent')
  ;[here, there] = ['here', 'there'].map((self) => new SharedKeyUses(store, log, self)) as [
    SharedKeyUses,
    SharedKeyUses,
  ]
})

const reservations = () =>
  storage.all(storage.builder.selectFrom('api_key_reservation').select(['replica', 'tokens']))
const used = async () => (await there.today(key.id)).tokens

test('Calls on two gateways at once are granted no more than the cap together', async () => {
  const calls = Array.from({ length: 12 }, (_, place) => [here, there][place % 2]!.reserve(key, 40))
  const results = await Promise.allSettled(calls)
  const granted = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  const refusals = results.flatMap((result) => (result.status === 'rejected' ? result.reason : []))
  expect(granted).toHaveLength(3)
  expect(refusals).toEqual(
    Array.from({ length: 9 }, () => expect.objectContaining({ status: 429 })),
  )
  const tokens = (await reservations()).map((row) => row.tokens)
  expect(tokens.toSorted((one, other) => one - other)).toEqual([20, 40, 40])
  for (const kept of granted) kept.settle(10)
  await Promise.all([here.close(), there.close()])
  expect(await reservations()).toEqual([])
  expect(await used()).toBe(30)
  ;(await there.reserve(key, 70)).settle(70)
  await there.close()
  await expect(here.reserve(key, 1)).rejects.toThrow(/used up its 100 tokens a day/)
})

test('The reservations of a gateway end with it, and those of a removed key with the key', async () => {
  await here.reserve(key, CAP)
  await expect(there.reserve(key, 1)).rejects.toMatchObject({ status: 429 })
  await storage.run(storage.builder.deleteFrom('replica').where('id', '=', 'here'))
  const next = await there.reserve(key, 1)
  expect(await reservations()).toEqual([{ replica: 'there', tokens: 1 }])
  await store.remove('ada', key.id)
  expect(await reservations()).toEqual([])
  next.settle(5)
  await there.close()
  expect(await reservations()).toEqual([])
})

test('Tokens the database did not take are stored later, once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const kept = await here.reserve(key, 40)
  const settle = vi.spyOn(store, 'settle').mockRejectedValueOnce(new Error('away'))
  kept.settle(25)
  kept.settle(25)
  await vi.waitFor(() => expect(settle).toHaveBeenCalledTimes(1))
  expect([await used(), (await reservations()).length]).toEqual([0, 1])
  await vi.waitFor(async () => {
    vi.advanceTimersByTime(2000)
    expect([await used(), (await reservations()).length]).toEqual([25, 0])
  })
})

import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Storage } from '../storage/index.ts'
import { createSecrets } from '../storage/secrets/secrets.ts'
import { createTestStorage } from '../testing/create-test-storage.ts'
import { PendingFlows } from './pending-flows.ts'

const KIND = { kind: 'sign_in', seconds: 600, mostPerUser: 2 }
const flow = (verifier: string) => ({ userId: 'ada', value: { verifier } })

let storage: Storage
let here: PendingFlows<{ verifier: string }>
let there: PendingFlows<{ verifier: string }>
beforeEach(async () => {
  storage = createTestStorage()
  await storage.run(
    storage.builder.insertInto('user').values({
      id: 'ada',
      email: 'ada@example.com',
      name: 'Ada',
      role: 'user',
      is_first: 0,
      created_at: 1,
      updated_at: 1,
    }),
  )
  ;[here, there] = [createSecrets('root'), createSecrets('root')].map(
    (secrets) => new PendingFlows<{ verifier: string }>({ storage, secrets }, KIND),
  ) as [typeof here, typeof there]
})

test('a flow goes on at another gateway, ends once, and is not readable in the table', async () => {
  await here.save('state', flow('hidden'))
  expect(await there.find('state')).toEqual(flow('hidden'))
  const rows = await storage.all(storage.builder.selectFrom('pending_flow').selectAll())
  expect(JSON.stringify(rows)).not.toContain('hidden')
  const ends = await Promise.all([here.remove('state'), there.remove('state')])
  expect(ends.filter(Boolean)).toHaveLength(1)
  expect(await here.find('state')).toBeNull()
})

test('an old flow is gone, and of many of one user the latest stay', async () => {
  onTestFinished(() => void vi.useRealTimers())
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 })
  for (const id of ['first', 'second', 'third']) {
    await here.save(id, flow(id))
    vi.setSystemTime(Date.now() + 1000)
  }
  expect(await here.find('first')).toBeNull()
  expect(await here.find('third')).toEqual(flow('third'))
  vi.setSystemTime(Date.now() + KIND.seconds * 1000)
  expect(await here.find('third')).toBeNull()
})

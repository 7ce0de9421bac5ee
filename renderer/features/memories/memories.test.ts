import { afterEach, expect, test, vi } from 'vitest'
import type { Memory } from '#contract/memories.ts'
import { fakeGateway, refusal } from '../../testing/fake-gateway.ts'
import {
  addMemory,
  changeMemory,
  createMemoriesStore,
  removeAllMemories,
  removeMemory,
} from './memories-store.ts'

afterEach(() => vi.unstubAllGlobals())

const memory = (part: Partial<Memory> = {}): Memory => ({
  id: 'a',
  user_id: 'u',
  content: 'Likes tea',
  created_at: 1,
  updated_at: 1,
  ...part,
})

test('memories are listed, added first, changed in place and deleted', async () => {
  fakeGateway({
    'GET /api/v1/memories/': [memory()],
    'POST /api/v1/memories/add': memory({ id: 'b', content: 'Lives in Bergen', created_at: 2 }),
    'POST /api/v1/memories/a/update': memory({ content: 'Likes coffee' }),
    'DELETE /api/v1/memories/b': true,
    'DELETE /api/v1/memories/delete/user': true,
  })
  const store = createMemoriesStore()
  await store.load()
  await addMemory(store, ' Lives in Bergen ')
  await changeMemory(store, memory(), 'Likes coffee')
  expect(store.getState().items.map(({ content }) => content)).toEqual([
    'Lives in Bergen',
    'Likes coffee',
  ])
  await removeMemory(store, memory({ id: 'b' }))
  expect(store.getState().items).toHaveLength(1)
  await removeAllMemories(store)
  expect(store.getState().items).toEqual([])
})

test('an emptied memory stays as it was, and a list that cannot be read says why', async () => {
  const gateway = fakeGateway({
    'GET /api/v1/memories/': refusal(403, 'Memories are switched off.'),
  })
  const store = createMemoriesStore()
  await changeMemory(store, memory(), '  ')
  expect(gateway.calls).toEqual([])
  await store.load()
  expect(store.getState()).toMatchObject({
    status: 'failed',
    problem: 'Memories are switched off.',
  })
})

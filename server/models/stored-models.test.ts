import { mapInOrder } from '../lib/in-order.ts'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createTestStorage } from '../testing/create-test-storage.ts'
import { importModels } from './import-models.ts'
import type { StoredModel } from './stored-model.ts'
import { StoredModels } from './stored-models.ts'

const toModel = (id: string, fields: Partial<StoredModel> = {}): StoredModel => ({
  id,
  user_id: null,
  base_model_id: 'base',
  name: id,
  params: {},
  meta: {},
  is_active: true,
  created_at: 10,
  updated_at: 10,
  ...fields,
})

async function open(count = 0) {
  const storage = createTestStorage()
  onTestFinished(() => storage.close())
  const onChange = vi.fn()
  const stored = new StoredModels({ storage, onChange })
  const ids = Array.from({ length: count }, (_, place) => `model-${1000 + place}`)
  await stored.change((writer) => mapInOrder(ids, (id) => writer.put(toModel(id))))
  const idsOfAll = (): string[] => stored.all().map(({ id }) => id)
  return { storage, stored, onChange, ids, idsOfAll }
}

it('reads after a change what was changed, and no other model', async () => {
  const { storage, stored, onChange, ids, idsOfAll } = await open(300)
  expect(idsOfAll()).toEqual(ids)
  const readAll = vi.spyOn(storage, 'all')
  await stored.change(async (writer) => {
    await writer.put(toModel(ids[7]!, { name: 'Changed', meta: { list: [1] } }))
    await writer.remove(ids[8]!)
    await writer.put(toModel('newest', { created_at: 11 }))
    await writer.put(toModel('oldest', { created_at: 9 }))
  })
  expect(idsOfAll()).toEqual(['oldest', ...ids.filter((id) => id !== ids[8]), 'newest'])
  expect(stored.get(ids[7]!)).toMatchObject({ name: 'Changed', meta: { list: [1] } })
  expect(readAll).not.toHaveBeenCalled()
  expect(onChange).toHaveBeenCalledTimes(2)
})

it('reads after changes that overlap each changed model, and not all of them each time', async () => {
  const { storage, stored, ids } = await open(300)
  const readAll = vi.spyOn(storage, 'all')
  await Promise.all(
    ids.slice(0, 40).map(async (id) => {
      await stored.change((writer) => writer.put(toModel(id, { name: 'Changed' })))
      expect(stored.get(id)!.name).toBe('Changed')
    }),
  )
  expect(readAll).not.toHaveBeenCalled()
})

it('loses nothing another gateway stored when it is read while a model is changed', async () => {
  const { storage, stored, ids } = await open(3)
  await storage.update('model', ids[1]!, { name: 'Theirs' })
  const put = (): Promise<void> =>
    stored.change((writer) => writer.put(toModel(ids[0]!, { name: 'Ours' })))
  await Promise.all([stored.load(), put()])
  expect(stored.all().map(({ name }) => name)).toEqual(['Ours', 'Theirs', ids[2]])
})

it('reads what a longer transaction changed once it is committed, whatever others change meanwhile', async () => {
  const { storage, stored, ids } = await open(3)
  const change = (id: string): Promise<void> =>
    stored.change((writer) => writer.put(toModel(id, { name: 'Changed' })))
  const own = storage.transaction(async () => {
    await change(ids[0]!)
    await new Promise((resolve) => setImmediate(resolve))
  })
  await Promise.all([own, change(ids[1]!), stored.load()])
  expect(stored.all().map(({ name }) => name)).toEqual(['Changed', 'Changed', ids[2]])
})

it('keeps nothing of a change that failed or was taken back', async () => {
  const { storage, stored, ids, idsOfAll } = await open(3)
  const fail = (): never => {
    throw new Error('planted')
  }
  idsOfAll()
  const change = (id: string): Promise<void> => stored.change((writer) => writer.put(toModel(id)))
  await expect(() =>
    stored.change(async (writer) => (await writer.put(toModel('failed')), fail())),
  ).rejects.toThrow('planted')
  await expect(
    storage.transaction(async () => (await change('taken back'), fail())),
  ).rejects.toThrow('planted')
  expect(idsOfAll()).toEqual(ids)
})

it('imports many models in steps, and none of them when one is refused', async () => {
  const { storage, stored, idsOfAll } = await open()
  const dependencies = {
    stored,
    access: { replace: vi.fn(), remove: vi.fn() },
    modelAccess: { mayWrite: () => true },
    arena: { has: (id: string) => id === 'reserved' },
    checkAttached: () => undefined,
  } as unknown as Parameters<typeof importModels>[0]
  const caller = { userId: null, role: 'admin' } as never
  const inputs = Array.from({ length: 120 }, (_, place) => ({
    id: `new-${place}`,
    name: 'New',
    base_model_id: 'base',
  }))
  const begin = (...more: { id: string; name: string }[]) =>
    importModels(dependencies, caller, [...inputs, ...more], { replacesAll: false })
  await expect(async () => [
    ...(await Array.fromAsync(begin({ id: 'reserved', name: 'Reserved' }))),
  ]).rejects.toThrow('already a model')
  expect(idsOfAll()).toEqual([])
  const transactions = vi.spyOn(storage, 'transaction')
  // One step for each model that is checked, and one for each part that is written.
  expect([...(await Array.fromAsync(begin()))]).toHaveLength(120 + 3)
  expect(transactions).toHaveBeenCalledTimes(3)
  expect(idsOfAll()).toHaveLength(120)
})

import { expect, it } from 'vitest'
import { countStatements } from '../testing/count-statements.ts'
import { createTestStorage } from '../testing/create-test-storage.ts'
import { UserStore } from './store.ts'

async function createStore() {
  const storage = createTestStorage()
  const store = new UserStore(storage)
  const { id } = await store.insert({
    name: 'Ada',
    email: 'ada@example.org',
    role: 'user',
    isFirst: false,
    isGuest: false,
  })
  return { storage, store, id }
}

it('every write of an account shows in the next read', async () => {
  const { store, id } = await createStore()
  expect(await store.accounts.get(id)).toBe(await store.accounts.get(id))
  await store.update(id, { role: 'pending' })
  expect((await store.accounts.get(id))!.role).toBe('pending')
  await store.raiseTokenVersion(id)
  expect((await store.accounts.get(id))!.tokenVersion).toBe(2)
  await store.setLastActive(new Map([[id, 7]]))
  expect((await store.accounts.get(id))!.last_active_at).toBe(7)
  await store.remove(id, 'Ada')
  expect(await store.accounts.get(id)).toBeNull()
})

it('a read inside a transaction that is taken back leaves nothing behind', async () => {
  const { storage, store, id } = await createStore()
  const change = async (): Promise<never> => {
    await store.update(id, { role: 'admin' })
    expect((await store.accounts.get(id))!.role).toBe('admin')
    throw new Error('taken back')
  }
  await expect(storage.transaction(change)).rejects.toThrow('taken back')
  expect((await store.accounts.get(id))!.role).toBe('user')
})

it('accounts read ahead are found without a statement, as they are now', async () => {
  const { storage, store, id } = await createStore()
  await store.accounts.readAhead([id, 'gone'])
  expect(await countStatements(storage, () => store.accounts.get(id))).toBe(0)
  const reading = store.accounts.readAhead([id])
  await store.update(id, { name: 'Grace' })
  await reading
  expect((await store.accounts.get(id))!.name).toBe('Grace')
  expect(await store.accounts.get('gone')).toBeNull()
})

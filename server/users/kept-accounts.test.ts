import { expect, it } from 'vitest'
import { createTestStorage } from '../testing/create-test-storage.ts'
import { UserStore } from './store.ts'

function createStore() {
  const storage = createTestStorage()
  const store = new UserStore(storage)
  const { id } = store.insert({
    name: 'Ada',
    email: 'ada@example.org',
    role: 'user',
    isFirst: false,
    isGuest: false,
  })
  return { storage, store, id }
}

it('every write of an account shows in the next read', () => {
  const { store, id } = createStore()
  expect(store.get(id)).toBe(store.get(id))
  store.update(id, { role: 'pending' })
  expect(store.get(id)!.role).toBe('pending')
  store.raiseTokenVersion(id)
  expect(store.get(id)!.tokenVersion).toBe(2)
  store.setLastActive(new Map([[id, 7]]))
  expect(store.get(id)!.last_active_at).toBe(7)
  store.remove(id, 'Ada')
  expect(store.get(id)).toBeNull()
})

it('a read inside a transaction that is taken back leaves nothing behind', () => {
  const { storage, store, id } = createStore()
  const change = (): never => {
    store.update(id, { role: 'admin' })
    expect(store.get(id)!.role).toBe('admin')
    throw new Error('taken back')
  }
  expect(() => storage.transaction(change)).toThrow('taken back')
  expect(store.get(id)!.role).toBe('user')
})

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { SecretFile, Keychain, type Keytar } from './secret-store.ts'

function fakeKeytar(options: { isLocked?: boolean } = {}) {
  const entries = new Map<string, string>()
  const keytar: Keytar = {
    getPassword: async (service, account) =>
      options.isLocked ? null : (entries.get(`${service}/${account}`) ?? null),
    async setPassword(service, account, password) {
      if (options.isLocked) throw new Error('Cannot create an item in a locked collection')
      entries.set(`${service}/${account}`, password)
    },
    deletePassword: async (service, account) => entries.delete(`${service}/${account}`),
  }
  return { keytar, entries, options }
}

test('a written entry is read back and can be removed, and nothing else stays behind', async () => {
  const { keytar, entries } = fakeKeytar()
  const store = new Keychain('root-key', () => keytar)
  expect(await store.read()).toBeNull()
  await store.write('secret')
  expect(await store.read()).toBe('secret')
  expect([...entries.keys()]).toEqual(['Chat Gateway/root-key'])
  await store.remove()
  expect([...entries.keys()]).toEqual([])
})

test('R14: a locked keychain that answers like an empty one is not believed', async () => {
  const { keytar } = fakeKeytar({ isLocked: true })
  await expect(new Keychain('root-key', () => keytar).read()).rejects.toThrow('locked collection')
})

test('a call that does not come back is known', async () => {
  const answer = Promise.withResolvers<string | null>()
  const store = new Keychain('root-key', () => ({
    ...fakeKeytar().keytar,
    getPassword: () => answer.promise,
  }))
  const reading = store.read()
  expect(store.isBusy).toBe(true)
  expect(store.read()).toBe(reading)
  answer.resolve('secret')
  await reading
  expect(store.isBusy).toBe(false)
})

test('profiles do not see each other’s key', async () => {
  const { keytar } = fakeKeytar()
  await new Keychain('root-key', () => keytar).write('first')
  expect(await new Keychain('root-key /second', () => keytar).read()).toBeNull()
})

test('the file store answers null without a file, and what was written with one', async () => {
  const store = new SecretFile(
    path.join(mkdtempSync(path.join(tmpdir(), 'file-store-')), 'profile/root-key'),
  )
  expect(await store.read()).toBeNull()
  await store.write('secret')
  expect(await store.read()).toBe('secret')
  await store.remove()
  expect(await store.read()).toBeNull()
})

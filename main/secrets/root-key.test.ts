import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { createLogger } from '../profile/log.ts'
import {
  createSessionKey,
  moveToKeychain,
  openRootKey,
  createRootKey,
  type RootKeyOptions,
} from './root-key.ts'
import { SecretFile, type SecretStore } from './secret-store.ts'

interface FakeKeychain extends SecretStore {
  held: string | null
  mood: 'works' | 'refuses' | 'hangs' | 'forgets'
  readonly written: string[]
}

/** An in-memory keychain that can be in every state observed in a real one. */
function fakeKeychain(held: string | null = null): FakeKeychain {
  const keychain: FakeKeychain = {
    kind: 'keychain',
    isBusy: false,
    held,
    mood: 'works',
    written: [],
    read: () => react(() => keychain.held),
    write: (text) =>
      react(() => {
        keychain.written.push(text)
        if (keychain.mood !== 'forgets') keychain.held = text
      }),
    remove: () => react(() => void (keychain.held = null)),
  }
  async function react<Value>(work: () => Value): Promise<Value> {
    if (keychain.mood === 'hangs') return new Promise(() => undefined)
    if (keychain.mood === 'refuses') throw new Error('Cannot create an item in a locked collection')
    return work()
  }
  return keychain
}

function setUp(keychain: FakeKeychain | null = fakeKeychain()) {
  const folder = mkdtempSync(path.join(tmpdir(), 'root-key-'))
  const keyFile = path.join(folder, 'root-key')
  const options: RootKeyOptions = {
    recordFile: path.join(folder, 'root-key.json'),
    keychain,
    file: new SecretFile(keyFile),
    log: createLogger('silent', () => undefined),
    timeout: 20,
  }
  return { options, keyFile, keychain: keychain! }
}

async function openUnlocked(options: RootKeyOptions) {
  const result = await openRootKey(options)
  if (result.state !== 'unlocked')
    throw new Error(`expected an unlocked key, got ${result.state}: ${result.detail}`)
  return result
}

test('the first start makes a 256-bit key in the keychain, the next one finds it there', async () => {
  const { options, keyFile, keychain } = setUp()
  const first = await openUnlocked(options)
  const second = await openUnlocked(options)
  expect(first.key).toHaveLength(32)
  expect(second).toEqual(first)
  expect(first).toMatchObject({ kind: 'keychain', warning: null })
  expect(keychain.written).toHaveLength(1)
  expect(existsSync(keyFile)).toBe(false)
})

test('what is remembered beside the key does not reveal it', async () => {
  const { options } = setUp()
  const { key } = await openUnlocked(options)
  const record = readFileSync(options.recordFile, 'utf8')
  expect(record).not.toContain(key.toString('base64').slice(0, 12))
  expect(record).not.toContain(key.toString('base64url').slice(0, 12))
})

test.each(['refuses', 'hangs', 'forgets'] as const)(
  'R14: on the first start a keychain that %s leads to a file of the owner and a warning',
  async (mood) => {
    const { options, keyFile, keychain } = setUp()
    keychain.mood = mood
    const result = await openUnlocked(options)
    expect(result.kind).toBe('file')
    expect(result.warning).toBe('file')
    expect(statSync(keyFile).mode & (process.platform === 'win32' ? 0 : 0o077)).toBe(0)
    expect((await openUnlocked(options)).key).toEqual(result.key)
  },
)

test('without a keychain the file is used from the start', async () => {
  const { options } = setUp(null)
  expect(await openUnlocked(options)).toMatchObject({ kind: 'file' })
})

test.each(['refuses', 'hangs'] as const)(
  'R14: a keychain that %s later is reported, and its key is never overwritten',
  async (mood) => {
    const { options, keychain, keyFile } = setUp()
    const { key } = await openUnlocked(options)
    keychain.mood = mood
    const cause = mood === 'hangs' ? 'slow' : null
    expect(await openRootKey(options)).toMatchObject({ state: 'unreachable', cause })
    const session = createSessionKey()
    expect(session.warning).toBe('session')
    expect(session.key).not.toEqual(key)
    keychain.mood = 'works'
    expect((await openUnlocked(options)).key).toEqual(key)
    expect(keychain.written).toHaveLength(1)
    expect(existsSync(keyFile)).toBe(false)
  },
)

test('R14: a deleted entry is reported and replaced only with consent', async () => {
  const { options, keychain } = setUp()
  const { key } = await openUnlocked(options)
  keychain.held = null
  expect(await openRootKey(options)).toMatchObject({ state: 'deleted' })
  expect(keychain.held).toBeNull()
  const replaced = await createRootKey(options)
  expect(replaced.key).not.toEqual(key)
  expect((await openUnlocked(options)).key).toEqual(replaced.key)
})

test('R14: another key in the entry is told from the right one, and adopted only with consent', async () => {
  const { options, keychain } = setUp()
  await openUnlocked(options)
  for (const text of ['', 'nonsense', randomBytes(31).toString('base64')]) {
    keychain.held = text
    expect(await openRootKey(options)).toMatchObject({ state: 'changed', cause: 'foreign' })
  }
  const other = randomBytes(32)
  keychain.held = other.toString('base64')
  expect(await openRootKey(options)).toMatchObject({ state: 'changed' })
  expect((await createRootKey(options)).key).toEqual(other)
  expect(keychain.written).toHaveLength(1)
})

test('a lost record adopts the key the keychain still holds', async () => {
  const held = randomBytes(32)
  const { options, keychain } = setUp(fakeKeychain(held.toString('base64')))
  expect((await openUnlocked(options)).key).toEqual(held)
  expect(keychain.written).toEqual([])
})

test('a keychain key cannot be had while the keychain is switched off', async () => {
  const { options } = setUp()
  await openUnlocked(options)
  expect(await openRootKey({ ...options, keychain: null })).toMatchObject({ state: 'unreachable' })
})

test('a key in the file moves to the keychain as soon as that works', async () => {
  const { options, keychain, keyFile } = setUp()
  keychain.mood = 'refuses'
  const { key } = await openUnlocked(options)
  expect(await moveToKeychain(options, key)).toBe(false)
  keychain.mood = 'works'
  expect(await moveToKeychain(options, key)).toBe(true)
  expect(existsSync(keyFile)).toBe(false)
  expect(await openUnlocked(options)).toEqual({
    state: 'unlocked',
    key,
    kind: 'keychain',
    warning: null,
  })
})

test('moving leaves another key in the keychain alone', async () => {
  const held = randomBytes(32).toString('base64')
  const { options, keychain } = setUp(fakeKeychain(held))
  keychain.mood = 'refuses'
  const { key } = await openUnlocked(options)
  keychain.mood = 'works'
  expect(await moveToKeychain(options, key)).toBe(false)
  expect(keychain.held).toBe(held)
  expect((await openUnlocked(options)).key).toEqual(key)
})

test('a keychain module that cannot be loaded counts as no keychain', async () => {
  const { Keychain } = await import('./secret-store.ts')
  const load = vi.fn(() => {
    throw new Error('Cannot find module')
  })
  const { options } = setUp(null)
  expect(await openUnlocked({ ...options, keychain: new Keychain('test', load) })).toMatchObject({
    kind: 'file',
  })
  expect(load).toHaveBeenCalled()
})

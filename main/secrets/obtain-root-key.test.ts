import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { createLogger } from '../profile/log.ts'
import { obtainRootKey } from './obtain-root-key.ts'
import type { RootKeyOptions } from './root-key.ts'
import { SecretFile } from './secret-store.ts'

const { showMessageBox } = vi.hoisted(() => ({ showMessageBox: vi.fn() }))
vi.mock('electron', () => ({ dialog: { showMessageBox } }))

const RETRY = { response: 0 }
const ANYWAY = { response: 1 }
const QUIT = { response: 2 }

beforeEach(() => {
  showMessageBox.mockReset()
})

function setUp() {
  const folder = mkdtempSync(path.join(tmpdir(), 'obtain-'))
  const keyFile = path.join(folder, 'root-key')
  const log = createLogger('silent', () => undefined)
  const options: RootKeyOptions = {
    recordFile: path.join(folder, 'root-key.json'),
    keychain: null,
    file: new SecretFile(keyFile),
    log,
  }
  return { options, keyFile }
}

/** Returns the same profile with a keychain that refuses access, as when it is locked. */
const locked = (options: RootKeyOptions): RootKeyOptions => {
  const refuse = () => Promise.reject(new Error('locked'))
  return {
    ...options,
    file: { kind: 'file', isBusy: false, read: refuse, write: refuse, remove: refuse },
  }
}

test('a key that can be read asks nothing', async () => {
  const { options } = setUp()
  const first = await obtainRootKey(options)
  expect(await obtainRootKey(options)).toEqual(first)
  expect(showMessageBox).not.toHaveBeenCalled()
})

test('R14: an unreachable key is asked about until the person decides; quitting gives none', async () => {
  const { options } = setUp()
  await obtainRootKey(options)
  showMessageBox
    .mockResolvedValueOnce(RETRY)
    .mockResolvedValueOnce(RETRY)
    .mockResolvedValueOnce(QUIT)
  expect(await obtainRootKey(locked(options))).toBeNull()
  expect(showMessageBox).toHaveBeenCalledTimes(3)
})

test('the question about a slow keychain closes by itself once that answers', async () => {
  const { options } = setUp()
  let held: string | null = null
  const keychain = {
    kind: 'keychain' as const,
    isBusy: false,
    read: async () => held,
    write: async (text: string) => void (held = text),
    remove: async () => undefined,
  }
  const stored = await obtainRootKey({ ...options, keychain })
  const reading = Promise.withResolvers<string | null>()
  const read = vi.fn().mockReturnValueOnce(reading.promise).mockImplementation(keychain.read)
  // Electron takes the dialog away as if the person had pressed Escape.
  showMessageBox.mockImplementationOnce(
    ({ signal }: { signal: AbortSignal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(QUIT))
        reading.resolve(held)
      }),
  )
  const slow = { ...options, keychain: { ...keychain, read }, timeout: 10 }
  expect(await obtainRootKey(slow)).toEqual(stored)
  expect(showMessageBox.mock.calls[0]![0].detail).toContain('has not answered yet')
})

test('R14: starting without the stored key is for this session only', async () => {
  const { options } = setUp()
  const stored = await obtainRootKey(options)
  showMessageBox.mockResolvedValueOnce(ANYWAY)
  const session = await obtainRootKey(locked(options))
  expect(session?.key).not.toEqual(stored?.key)
  expect(session?.warning).toBe('session')
  expect(await obtainRootKey(options)).toEqual(stored)
})

test('R14: a lost key is replaced after consent', async () => {
  const { options, keyFile } = setUp()
  const lost = await obtainRootKey(options)
  await options.file.remove()
  showMessageBox.mockResolvedValueOnce(ANYWAY)
  const replaced = await obtainRootKey(options)
  expect(replaced?.key).not.toEqual(lost?.key)
  expect(existsSync(keyFile)).toBe(true)
  expect(await obtainRootKey(options)).toEqual(replaced)
})

test('a key kept in a file moves to a keychain that works by now, without holding up the start', async () => {
  const { options, keyFile } = setUp()
  const key = await obtainRootKey(options)
  let held: string | null = null
  const keychain: RootKeyOptions['keychain'] = {
    kind: 'keychain',
    isBusy: false,
    read: async () => held,
    write: async (text) => void (held = text),
    remove: async () => void (held = null),
  }
  expect(await obtainRootKey({ ...options, keychain })).toEqual(key)
  await vi.waitFor(() => expect(existsSync(keyFile)).toBe(false))
  expect(held).toBe(key?.key.toString('base64'))
  expect(await obtainRootKey({ ...options, keychain })).toMatchObject({
    kind: 'keychain',
    warning: null,
  })
})

test('a damaged note about the key is not taken for a first start, and after consent the key that is there is kept', async () => {
  const { options } = setUp()
  const key = await obtainRootKey(options)
  for (const text of ['', '{', '{"place":"moon","check":"x"}', 'null']) {
    writeFileSync(options.recordFile, text)
    showMessageBox.mockResolvedValueOnce(ANYWAY)
    expect(await obtainRootKey(options)).toEqual(key)
  }
  expect(showMessageBox).toHaveBeenCalledTimes(4)
})

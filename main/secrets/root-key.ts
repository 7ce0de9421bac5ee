import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { readTextFile, writeTextFile } from '../profile/atomic-file.ts'
import type { Logger } from '../profile/log.ts'
import type { SecretStore } from './secret-store.ts'

/**
 * The available root key. `warning` is the reason its storage is weak, for the about page: it is in
 * a file readable by any program, or valid for this session only.
 */
export interface UnlockedRootKey {
  readonly state: 'unlocked'
  readonly key: Buffer
  readonly kind: SecretStore['kind']
  readonly warning: 'file' | 'session' | null
}

/**
 * The key that encrypts this profile's data is unavailable. `unreachable`: the keychain refused, is
 * missing or too slow, and may still hold the key. `deleted`: its entry is gone. `changed`: the
 * entry holds a different key from the one in use.
 */
export interface MissingRootKey {
  readonly state: 'unreachable' | 'deleted' | 'changed'
  /** Known cause; null if only the store can tell. `foreign`: the entry holds no key at all. */
  readonly cause: 'damaged' | 'switchedOff' | 'slow' | 'gone' | 'foreign' | 'other' | null
  /** Message of the store, or the damaged file. */
  readonly detail: string | null
  /** Settles when a slow store has answered after all. */
  readonly answered?: Promise<unknown>
}

export interface RootKeyOptions {
  /** File that records where the key is stored, and a digest to recognise it. */
  readonly recordFile: string
  /** Null if the user chose the file. */
  readonly keychain: SecretStore | null
  readonly file: SecretStore
  readonly log: Logger
  readonly timeout?: number
}

const recordSchema = z.object({ place: z.enum(['keychain', 'file']), check: z.string() })
type RootKeyRecord = z.output<typeof recordSchema>

const KEY_BYTES = 32
const TIMEOUT = 5_000

const toCheck = (key: Buffer): string =>
  createHash('sha256').update('chat gateway root key check\0').update(key).digest('base64url')

function parseKey(text: string): Buffer | null {
  const key = Buffer.from(text, 'base64')
  return key.length === KEY_BYTES ? key : null
}

function readRecord(file: string): RootKeyRecord | 'damaged' | null {
  const text = readTextFile(file)
  if (text === null) return null
  try {
    return recordSchema.parse(JSON.parse(text))
  } catch {
    // In that case the key's location is unknown, which only the user can decide about.
    return 'damaged'
  }
}

const writeRecord = (file: string, record: RootKeyRecord): void =>
  writeTextFile(file, `${JSON.stringify(record)}\n`)

class SlowKeychainError extends Error {}

/** Without a timeout, waits as long as it takes. */
async function withTimeout<Value>(work: Promise<Value>, timeout: number | null): Promise<Value> {
  if (timeout === null) return work
  const { promise, reject } = Promise.withResolvers<never>()
  const text = `The keychain did not answer within ${timeout / 1000} seconds.`
  const timer = setTimeout(() => reject(new SlowKeychainError(text)), timeout)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

const toDetail = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

/** Writes a key and reads it back, so that a store that silently discards it is not trusted. */
async function keepIn(store: SecretStore, key: Buffer, timeout: number | null): Promise<void> {
  const text = key.toString('base64')
  await withTimeout(store.write(text), timeout)
  if ((await withTimeout(store.read(), timeout)) !== text)
    throw new Error('The keychain did not keep the key.')
}

/**
 * Uses the key a store already holds, otherwise creates one there. Nothing is written to a store
 * that could not be read.
 */
async function adoptOrCreate(
  store: SecretStore,
  key: Buffer,
  timeout: number | null,
): Promise<Buffer> {
  const held = await withTimeout(store.read(), timeout)
  if (held !== null) {
    const found = parseKey(held)
    if (!found) throw new Error('The entry holds something else than a key of this app.')
    return found
  }
  await keepIn(store, key, timeout)
  return key
}

const unlocked = (kind: SecretStore['kind'], key: Buffer): UnlockedRootKey => ({
  state: 'unlocked',
  key,
  kind,
  warning: kind === 'file' ? 'file' : null,
})

/**
 * Stores a key in the keychain if that works, otherwise in the file. An existing key in either
 * place is kept, but a record of another key is replaced: if there is one, the key was lost, and the
 * user has to agree.
 */
export async function createRootKey({
  recordFile,
  keychain,
  file,
  log,
  timeout = TIMEOUT,
}: RootKeyOptions): Promise<UnlockedRootKey> {
  const fresh = parseKey((await file.read()) ?? '') ?? randomBytes(KEY_BYTES)
  let kind: SecretStore['kind'] = 'file'
  let key: Buffer | null = null
  if (keychain) {
    try {
      key = await adoptOrCreate(keychain, fresh, timeout)
      kind = 'keychain'
    } catch (error) {
      log.warn(
        { reason: toDetail(error) },
        'the keychain cannot be used, the root key goes to a file',
      )
    }
  }
  key ??= await adoptOrCreate(file, fresh, timeout)
  writeRecord(recordFile, { place: kind, check: toCheck(key) })
  return unlocked(kind, key)
}

/**
 * Moves a key from the file to a keychain that has become available, which may take until the user
 * has entered a password. A different key found there is not changed.
 */
export async function moveToKeychain(options: RootKeyOptions, key: Buffer): Promise<boolean> {
  const { keychain, file, log, recordFile } = options
  if (!keychain) return false
  try {
    const held = await adoptOrCreate(keychain, key, null)
    if (!held.equals(key)) return false
    writeRecord(recordFile, { place: 'keychain', check: toCheck(key) })
    await file.remove()
    return true
  } catch (error) {
    log.info({ reason: toDetail(error) }, 'the root key stays in its file')
    return false
  }
}

/**
 * Opens the profile's root key, creating one on the very first start. An unreadable key is never
 * replaced here: that needs the user's consent, see `createRootKey`.
 */
export async function openRootKey(
  options: RootKeyOptions,
): Promise<UnlockedRootKey | MissingRootKey> {
  const record = readRecord(options.recordFile)
  if (!record) return createRootKey(options)
  if (record === 'damaged')
    return { state: 'changed', cause: 'damaged', detail: options.recordFile }
  const store = record.place === 'file' ? options.file : options.keychain
  if (!store)
    return {
      state: 'unreachable',
      cause: 'switchedOff',
      detail: null,
    }
  const reading = store.read()
  let text: string | null
  try {
    text = await withTimeout(reading, options.timeout ?? TIMEOUT)
  } catch (error) {
    const missing = { state: 'unreachable', detail: toDetail(error) } as const
    return error instanceof SlowKeychainError
      ? { ...missing, cause: 'slow', answered: Promise.allSettled([reading]) }
      : { ...missing, cause: null }
  }
  if (text === null)
    return {
      state: 'deleted',
      cause: 'gone',
      detail: null,
    }
  const key = parseKey(text)
  if (!key || toCheck(key) !== record.check)
    return {
      state: 'changed',
      cause: key ? 'other' : 'foreign',
      detail: null,
    }
  return unlocked(record.place, key)
}

/**
 * With consent, while the key is unreachable: creates a key for this session only, leaving the
 * stored one unchanged.
 */
export const createSessionKey = (): UnlockedRootKey => ({
  state: 'unlocked',
  key: randomBytes(KEY_BYTES),
  kind: 'file',
  warning: 'session',
})

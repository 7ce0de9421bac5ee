import { createRequire } from 'node:module'
import { rmSync } from 'node:fs'
import { readTextFile, writeTextFile } from './atomic-file.ts'

/**
 * A place that holds one secret text. Every call may reject; `read` answers null only when there is
 * surely no entry.
 */
export interface SecretStore {
  readonly kind: 'keychain' | 'file'
  /**
   * A call has not come back. A native one cannot be taken back and keeps the process alive when
   * that wants to end.
   */
  readonly isBusy: boolean
  read(): Promise<string | null>
  write(text: string): Promise<void>
  remove(): Promise<void>
}

/** The part of the native keychain module that is used. */
export interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>
  setPassword(service: string, account: string, password: string): Promise<void>
  deletePassword(service: string, account: string): Promise<boolean>
}

const SERVICE = 'Chat Gateway'
/**
 * A module built for a newer Node does not fail to load in an older one, it crashes the whole
 * process.
 */
const OLDEST_NODE = 22

/** Loads the native module on first use; it is an optional dependency and may be missing. */
function loadKeytar(): Keytar {
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE)
    throw new Error('This Electron is too old for the keychain module.')
  return createRequire(import.meta.url)('keytar') as Keytar
}

/**
 * A locked keychain answers like one without the entry, yet refuses to store anything. So the
 * answer "no entry" is believed only after a throw-away entry could be written.
 */
async function readSurely(keytar: Keytar, account: string): Promise<string | null> {
  const text = await keytar.getPassword(SERVICE, account)
  if (text !== null) return text
  const probe = `${account} probe`
  await keytar.setPassword(SERVICE, probe, 'may be deleted')
  await keytar.deletePassword(SERVICE, probe)
  return keytar.getPassword(SERVICE, account)
}

/** The system's keychain. `account` tells profiles apart. */
export function createKeychainStore(account: string, load: () => Keytar = loadKeytar): SecretStore {
  let pending = 0
  async function use<Value>(work: (keytar: Keytar) => Promise<Value>): Promise<Value> {
    pending += 1
    try {
      return await work(load())
    } finally {
      pending -= 1
    }
  }
  return {
    kind: 'keychain',
    get isBusy() {
      return pending > 0
    },
    read: () => use((keytar) => readSurely(keytar, account)),
    write: (text) => use((keytar) => keytar.setPassword(SERVICE, account, text)),
    remove: () => use(async (keytar) => void (await keytar.deletePassword(SERVICE, account))),
  }
}

/**
 * A file only its owner can read: weaker than a keychain, as every program of that person can read
 * it too.
 */
export function createFileStore(file: string): SecretStore {
  return {
    kind: 'file',
    isBusy: false,
    read: async () => readTextFile(file)?.trim() ?? null,
    write: async (text) => writeTextFile(file, `${text}\n`),
    remove: async () => rmSync(file, { force: true }),
  }
}

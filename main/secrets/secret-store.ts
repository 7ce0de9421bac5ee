import { createRequire } from 'node:module'
import { rmSync } from 'node:fs'
import { readTextFile, writeTextFile } from '../profile/atomic-file.ts'

/**
 * A store for one secret text. Every call may reject; `read` resolves with null only if there is
 * certainly no entry.
 */
export interface SecretStore {
  readonly kind: 'keychain' | 'file'
  /**
   * True while a call has not returned. A native call cannot be aborted and keeps the process alive
   * on exit.
   */
  readonly isBusy: boolean
  read(): Promise<string | null>
  write(text: string): Promise<void>
  remove(): Promise<void>
}

/** The subset of the native keychain module that is used. */
export interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>
  setPassword(service: string, account: string, password: string): Promise<void>
  deletePassword(service: string, account: string): Promise<boolean>
}

const SERVICE = 'Chat Gateway'
/**
 * A module built for a newer Node does not fail to load in an older one, but crashes the whole
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
 * A locked keychain responds like one without the entry, but refuses to store anything. So "no
 * entry" is only trusted after a temporary entry could be written.
 */
async function readSurely(keytar: Keytar, account: string): Promise<string | null> {
  const text = await keytar.getPassword(SERVICE, account)
  if (text !== null) return text
  const probe = `${account} probe`
  await keytar.setPassword(SERVICE, probe, 'may be deleted')
  await keytar.deletePassword(SERVICE, probe)
  return keytar.getPassword(SERVICE, account)
}

/** Creates the store for the system's keychain. `account` distinguishes profiles. */
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
 * Creates a store in a file readable by its owner only: weaker than a keychain, as every program of
 * that user can read it too.
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

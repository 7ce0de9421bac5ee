import { createRequire } from 'node:module'
import { rmSync } from 'node:fs'
import { readTextFile, writeTextFile } from './atomic-file.ts'

/** A place that holds one secret text. Every call may reject; `read` answers null only when there is surely no entry. */
export interface SecretStore {
  readonly kind: 'keychain' | 'file'
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
/** A module built for a newer Node does not fail to load in an older one, it crashes the whole process. */
const OLDEST_NODE = 22

/** Loads the native module on first use; it is an optional dependency and may be missing. */
function loadKeytar(): Keytar {
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) throw new Error('This Electron is too old for the keychain module.')
  return createRequire(import.meta.url)('keytar') as Keytar
}

/** The system's keychain. `account` tells profiles apart. */
export function createKeychainStore(account: string, load: () => Keytar = loadKeytar): SecretStore {
  return {
    kind: 'keychain',
    read: async () => load().getPassword(SERVICE, account),
    write: async (text) => load().setPassword(SERVICE, account, text),
    remove: async () => void (await load().deletePassword(SERVICE, account)),
  }
}

/** A file only its owner can read: weaker than a keychain, as every program of that person can read it too. */
export function createFileStore(file: string): SecretStore {
  return {
    kind: 'file',
    read: async () => readTextFile(file)?.trim() ?? null,
    write: async (text) => writeTextFile(file, `${text}\n`),
    remove: async () => rmSync(file, { force: true }),
  }
}

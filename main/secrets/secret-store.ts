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

/** The system's keychain. `account` distinguishes profiles. */
export class Keychain implements SecretStore {
  readonly kind = 'keychain'
  readonly #account: string
  readonly #load: () => Keytar
  #pending = 0
  #reading: Promise<string | null> | null = null

  constructor(account: string, load: () => Keytar = loadKeytar) {
    this.#account = account
    this.#load = load
  }

  get isBusy(): boolean {
    return this.#pending > 0
  }

  /** One call serves several askers, as each may have the system ask for a password. */
  read(): Promise<string | null> {
    this.#reading ??= this.#use((keytar) => readSurely(keytar, this.#account)).finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  write(text: string): Promise<void> {
    return this.#use((keytar) => keytar.setPassword(SERVICE, this.#account, text))
  }

  remove(): Promise<void> {
    return this.#use(async (keytar) => void (await keytar.deletePassword(SERVICE, this.#account)))
  }

  async #use<Value>(work: (keytar: Keytar) => Promise<Value>): Promise<Value> {
    this.#pending += 1
    try {
      return await work(this.#load())
    } finally {
      this.#pending -= 1
    }
  }
}

/**
 * A file readable by its owner only: weaker than a keychain, as every program of that user can read
 * it too.
 */
export class SecretFile implements SecretStore {
  readonly kind = 'file'
  readonly isBusy = false
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  async read(): Promise<string | null> {
    return readTextFile(this.#file)?.trim() ?? null
  }

  async write(text: string): Promise<void> {
    writeTextFile(this.#file, `${text}\n`)
  }

  async remove(): Promise<void> {
    rmSync(this.#file, { force: true })
  }
}

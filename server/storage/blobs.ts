import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import path from 'node:path'
import { newId } from '../lib/ids.ts'

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders and does it by itself.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

const makeFolder = (folder: string): string | undefined =>
  mkdirSync(folder, { recursive: true, mode: 0o700 })

/**
 * Bytes on the disk under random ids, in `uploads` of the data folder. Which of them are in use is
 * written in the database: bytes wait under their id in `temporary` until their row is written and
 * only then get their place, so whatever ends the gateway in between, the next start knows whether
 * to finish or to forget. Bytes that have a place are never deleted because a row is missing: the
 * database may be an older copy or a new one.
 */
export class Blobs {
  readonly #folder: string
  readonly #temporaryFolder: string
  readonly #isKnown: (id: string) => Promise<boolean>
  /** Only what lies there now: a file that comes next is still on its way. */
  readonly #leftovers: readonly string[]

  /** `isKnown` tells whether there is a row for what a former process left on its way. */
  constructor(folder: string, isKnown: (id: string) => Promise<boolean>) {
    this.#folder = folder
    this.#temporaryFolder = path.join(folder, 'temporary')
    this.#isKnown = isKnown
    this.#leftovers = namesIn(this.#temporaryFolder)
  }

  /** Puts away what a former process left on its way; to be awaited before the first file. */
  async tidy(): Promise<void> {
    for (const id of this.#leftovers) {
      if ((await this.#isKnown(id)) && !existsSync(this.path(id))) this.keep(id)
      else rmSync(this.#temporary(id), { recursive: true, force: true })
    }
  }

  /**
   * Of a new file in which bytes are collected and flushed; its name is the id of the blob it may
   * become.
   */
  newTemporaryFile(): string {
    makeFolder(this.#temporaryFolder)
    return this.#temporary(newId())
  }

  /** Makes sure a temporary file outlives a power cut; answers its id. */
  async prepare(temporaryFile: string): Promise<string> {
    await syncFolder(this.#temporaryFolder)
    return path.basename(temporaryFile)
  }

  /** Gives prepared bytes their place, in the same turn as the row that names them is written. */
  keep(id: string): void {
    makeFolder(path.dirname(this.path(id)))
    renameSync(this.#temporary(id), this.path(id))
  }

  /** Where the bytes are. Shelves by the first letters keep folders short. */
  path(id: string): string {
    return path.join(this.#folder, id.slice(0, 2), id)
  }

  /** Deletes bytes; those that are gone already are fine. */
  async remove(id: string): Promise<void> {
    await rm(this.path(id), { force: true })
  }

  #temporary(id: string): string {
    return path.join(this.#temporaryFolder, id)
  }
}

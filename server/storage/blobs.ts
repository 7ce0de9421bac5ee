import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import path from 'node:path'
import { newId } from '../lib/ids.ts'

/**
 * Bytes on the disk under random ids, in `uploads` of the data folder. Which of them are in use is
 * written in the database: bytes wait under their id in `temporary` until their row is written and
 * only then get their place, so whatever ends the gateway in between, the next start knows whether
 * to finish or to forget. Bytes that have a place are never deleted because a row is missing: the
 * database may be an older copy or a new one.
 */
export interface Blobs {
  /** Puts away what a former process left on its way; to be awaited before the first file. */
  tidy(): Promise<void>
  /**
   * Of a new file in which bytes are collected and flushed; its name is the id of the blob it may
   * become.
   */
  newTemporaryFile(): string
  /** Makes sure a temporary file outlives a power cut; answers its id. */
  prepare(temporaryFile: string): Promise<string>
  /** Gives prepared bytes their place, in the same turn as the row that names them is written. */
  keep(id: string): void
  /** Where the bytes are. */
  path(id: string): string
  /** Deletes bytes; those that are gone already are fine. */
  remove(id: string): Promise<void>
}

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

/**
 * Opens the store; `isKnown` tells whether there is a row for what a former process left on its
 * way.
 */
export function openBlobs(folder: string, isKnown: (id: string) => Promise<boolean>): Blobs {
  const temporaryFolder = path.join(folder, 'temporary')
  const temporary = (id: string): string => path.join(temporaryFolder, id)
  // Shelves by the first letters keep folders short.
  const place = (id: string): string => path.join(folder, id.slice(0, 2), id)
  const makeFolder = (target: string): string | undefined =>
    mkdirSync(target, { recursive: true, mode: 0o700 })

  function keep(id: string): void {
    makeFolder(path.dirname(place(id)))
    renameSync(temporary(id), place(id))
  }

  // Only what lies there now: a file that comes next is still on its way.
  const leftovers = namesIn(temporaryFolder)

  return {
    async tidy() {
      for (const id of leftovers) {
        if ((await isKnown(id)) && !existsSync(place(id))) keep(id)
        else rmSync(temporary(id), { recursive: true, force: true })
      }
    },
    keep,
    path: place,
    newTemporaryFile() {
      makeFolder(temporaryFolder)
      return temporary(newId())
    },
    async prepare(temporaryFile) {
      await syncFolder(temporaryFolder)
      return path.basename(temporaryFile)
    },
    remove: (id) => rm(place(id), { force: true }),
  }
}

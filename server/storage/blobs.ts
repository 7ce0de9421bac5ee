import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { access, mkdir, open, opendir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { newId } from '../lib/ids.ts'

/**
 * Bytes on the disk under random names, in `uploads` of the data folder. Which of them are in use is written in the
 * database alone: bytes come before the row that names them and go after it, so a row without bytes cannot be.
 */
export interface Blobs {
  /** Of a new file in which bytes are collected; whoever asked for it keeps or discards it. */
  newTemporaryFile(): string
  /**
   * Makes a finished, flushed temporary file a blob, whatever happens to the power from then on. Its id counts as used
   * until `settle` is called, whether or not there is a row by then.
   */
  keep(temporaryFile: string): Promise<string>
  settle(id: string): void
  /** Where the bytes are. */
  path(id: string): string
  /** Deletes bytes; those that are gone already are fine. */
  remove(id: string): Promise<void>
  /** Deletes every blob that `isKnown` does not know. */
  sweep(isKnown: (id: string) => boolean): Promise<number>
}

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

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

/** Makes the first folder of a shelf last, too. */
async function ensureFolder(folder: string): Promise<void> {
  const isThere = await access(folder).then(
    () => true,
    () => false,
  )
  if (isThere) return
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await syncFolder(path.dirname(folder))
}

/** Opens the store; what a former process had not finished is deleted. */
export function openBlobs(folder: string): Blobs {
  const temporaryFolder = path.join(folder, 'temporary')
  rmSync(temporaryFolder, { recursive: true, force: true })
  const unsettled = new Set<string>()
  // Shelves by the first letters keep folders short.
  const place = (id: string): string => path.join(folder, id.slice(0, 2), id)

  return {
    newTemporaryFile() {
      mkdirSync(temporaryFolder, { recursive: true, mode: 0o700 })
      return path.join(temporaryFolder, newId())
    },
    async keep(temporaryFile) {
      const id = newId()
      unsettled.add(id)
      const target = place(id)
      try {
        await ensureFolder(path.dirname(target))
        await rename(temporaryFile, target)
        await syncFolder(path.dirname(target))
      } catch (error) {
        unsettled.delete(id)
        throw error
      }
      return id
    },
    settle: (id) => void unsettled.delete(id),
    path: place,
    remove: (id) => rm(place(id), { force: true }),
    async sweep(isKnown) {
      let count = 0
      for (const shelf of readShelves(folder)) {
        for await (const { name } of await opendir(path.join(folder, shelf))) {
          if (!ID.test(name) || unsettled.has(name) || isKnown(name)) continue
          await rm(path.join(folder, shelf, name), { force: true })
          count += 1
        }
      }
      return count
    },
  }
}

function readShelves(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^[\da-f]{2}$/.test(name))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

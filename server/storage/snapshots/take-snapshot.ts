import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { findSpaceMissing, removeCopy, toFileTime } from '../backups/backups.ts'
import { copyInUse } from '../backups/copy-in-use.ts'
import { findFileFault } from '../damage/find-fault.ts'
import { storeBlocks } from './blocks.ts'
import { keepUploads } from './keep-uploads.ts'
import { listSnapshots, readContent, writeManifest } from './manifest.ts'
import { snapshotPlaces, type SnapshotSources } from './snapshot.ts'
import { tidySnapshots } from './thin.ts'

/** Options for creating one snapshot. */
export interface SnapshotWish {
  readonly label: string
  /** Maximum number of bytes of all snapshots. */
  readonly budget: number
  /** True to create none if nothing changed since the newest. */
  readonly onlyIfChanged: boolean
  /** An existing checked copy of the database that is not written to. */
  readonly readyCopy?: string
}

/** Copies the database in use and checks the copy. */
async function copySound(database: string, copy: string): Promise<void> {
  const missing = findSpaceMissing(database)
  if (missing > 0)
    throw new Error(
      `There is no space for a snapshot. Free ${missing} MB on the disk of the data folder.`,
    )
  await copyInUse(database, copy)
  const fault = findFileFault(copy)
  if (fault !== null) throw new Error(`The copy of the database is damaged: ${fault}.`)
}

function isSameAsNewest(folder: string, blocks: readonly string[]): boolean {
  const now = Date.now()
  const newest = listSnapshots(folder).find(({ takenAt }) => takenAt.getTime() <= now)
  if (!newest || newest.fault !== null) return false
  try {
    const known = readContent(folder, newest.id).blocks
    return known.length === blocks.length && known.every((hash, index) => hash === blocks[index])
  } catch {
    // A damaged snapshot is no reason to skip this one.
    return false
  }
}

/** Two snapshots in one millisecond would have the same name. */
function findFreeTime(folder: string, label: string): Date {
  const taken = new Set(listSnapshots(folder).map(({ id }) => id))
  let time = Date.now()
  while (taken.has(`${toFileTime(new Date(time))}-${label}`)) time += 1
  return new Date(time)
}

/**
 * Creates a snapshot: copies the database, checks the copy, stores its blocks and the uploads, and
 * only then gives it a name. If the process ends before, the next tidying removes the pieces.
 * Resolves with its id, or null if none was needed. Takes long: for threads.
 */
export async function takeSnapshot(
  { database, uploads, folder }: SnapshotSources,
  { label, budget, onlyIfChanged, readyCopy }: SnapshotWish,
): Promise<string | null> {
  const places = snapshotPlaces(folder)
  mkdirSync(places.work, { recursive: true, mode: 0o700 })
  const made = path.join(places.work, 'copy.db')
  const copy = readyCopy ?? made
  removeCopy(made)
  try {
    // Before and after: a file that is added or deleted while the database is copied may be in it.
    const before = keepUploads(uploads, places.uploads)
    if (readyCopy === undefined) await copySound(database, made)
    const { hashes, added } = storeBlocks(places.blocks, copy)
    if (onlyIfChanged && isSameAsNewest(folder, hashes)) return null
    const kept = keepUploads(uploads, places.uploads, before)
    const databaseBytes = statSync(copy).size
    const counts = {
      takenAt: findFreeTime(folder, label),
      label,
      bytes: databaseBytes + kept.bytes,
      databaseBytes,
      addedBytes: added + kept.added,
    }
    const id = writeManifest(folder, counts, { blocks: hashes, uploads: [...kept.ids] })
    tidySnapshots(folder, budget, new Date())
    return id
  } finally {
    removeCopy(made)
  }
}

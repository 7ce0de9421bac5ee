// A snapshot replaces the current state in two parts: everything that takes long and may fail is
// prepared beside it while the gateway runs; at the next start, before the database is opened, only
// names are changed, so that after a kill at any moment the following start can complete it.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { syncFile, syncFolder, writeFileAtomically } from '../../lib/write-file-atomically.ts'
import { toFileTime } from '../backups/backups.ts'
import { damageMarkOf } from '../damage/damage-mark.ts'
import { inspectFile, logsOf } from '../damage/inspect-file.ts'
import { lendUpload } from './keep-uploads.ts'
import { readContent } from './manifest.ts'
import { joinSnapshot } from './open-snapshot.ts'
import { snapshotPlaces, type SnapshotSources } from './snapshot.ts'
import { listPieces, namesIn, pieceAt } from './stored-pieces.ts'

/** Result of a complete restore. */
export interface RestoreOutcome {
  readonly snapshot: string
  /** Unix milliseconds. */
  readonly at: number
  /** Number of uploads of the snapshot whose bytes no longer exist. */
  readonly missingUploads: number
  /** Reason why the current state was kept; null if it was replaced. */
  readonly fault: string | null
}

interface Plan {
  readonly snapshot: string
  readonly missingUploads: number
  /** Name of the folder for the replaced files, so that a repeated start finds it. */
  readonly folder: string
}

export const placesOf = (folder: string) => {
  const restore = path.join(folder, 'restore')
  return {
    restore,
    database: path.join(restore, 'database.db'),
    uploads: path.join(restore, 'uploads'),
    /** Written last: nothing happens without it. */
    plan: path.join(restore, 'plan.json'),
    outcome: path.join(folder, 'last-restore.json'),
    /** Replaced databases, until they are in a snapshot. */
    replaced: path.join(folder, 'replaced'),
  }
}

/**
 * Restores a snapshot beside the current state and checks it; returns the number of missing
 * uploads.
 */
export function prepareRestore({ folder, uploads }: SnapshotSources, id: string): number {
  const places = placesOf(folder)
  rmSync(places.restore, { recursive: true, force: true })
  mkdirSync(places.restore, { recursive: true, mode: 0o700 })
  joinSnapshot(folder, id, places.database)
  const kept = snapshotPlaces(folder).uploads
  return readContent(folder, id).uploads.filter(
    (upload) =>
      !lendUpload(kept, upload, pieceAt(places.uploads, upload)) &&
      !existsSync(pieceAt(uploads, upload)),
  ).length
}

/** Makes the next start activate the prepared restore. */
export function commitRestore(folder: string, snapshot: string, missingUploads: number): void {
  const places = placesOf(folder)
  syncFile(places.database)
  const plan: Plan = { snapshot, missingUploads, folder: toFileTime(new Date()) }
  writeFileAtomically(places.plan, JSON.stringify(plan))
}

export function dropRestore(folder: string): void {
  rmSync(placesOf(folder).plan, { force: true })
  rmSync(placesOf(folder).restore, { recursive: true, force: true })
}

function readJson<Value>(file: string): Value | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Value
  } catch {
    // Each is written atomically; an unreadable one counts as missing.
    return null
  }
}

export const readRestoreOutcome = (folder: string): RestoreOutcome | null =>
  readJson(placesOf(folder).outcome)

/** Returns the folders with a replaced database that is in no snapshot yet, the oldest first. */
export const listReplaced = (folder: string): string[] =>
  namesIn(placesOf(folder).replaced)
    .toSorted()
    .map((name) => path.join(placesOf(folder).replaced, name))

function moveIfThere(file: string, target: string): void {
  if (existsSync(file)) renameSync(file, path.join(target, path.basename(file)))
}

/** Skips the steps that were completed before. */
function* replaceState(folder: string, database: string, plan: Plan): Generator<void> {
  const places = placesOf(folder)
  const uploads = path.join(path.dirname(database), 'uploads')
  for (const id of listPieces(places.uploads)) {
    if (!existsSync(pieceAt(uploads, id))) lendUpload(places.uploads, id, pieceAt(uploads, id))
  }
  yield
  if (!existsSync(places.database)) return
  const target = path.join(places.replaced, plan.folder)
  mkdirSync(target, { recursive: true, mode: 0o700 })
  // The log is moved with its database: neither is opened in between.
  for (const file of [...logsOf(database), damageMarkOf(database), database]) {
    moveIfThere(file, target)
    yield
  }
  syncFolder(target)
  renameSync(places.database, database)
  syncFolder(path.dirname(database))
}

function findFault(places: ReturnType<typeof placesOf>): string | null {
  if (!existsSync(places.database)) return null
  const inspection = inspectFile(places.database)
  return inspection !== null && 'fault' in inspection
    ? `What was put together of the snapshot is damaged: ${inspection.fault}. Everything stayed as it was.`
    : null
}

/**
 * Activates the prepared restore, if any; must be called with the data folder locked and the
 * database closed. `onStep` is called between the steps.
 */
export function applyRestore(
  database: string,
  folder = path.join(path.dirname(database), 'snapshots'),
  onStep?: (step: number) => void,
): RestoreOutcome | null {
  const places = placesOf(folder)
  const plan = readJson<Plan>(places.plan)
  if (!plan) {
    rmSync(places.restore, { recursive: true, force: true })
    return null
  }
  const fault = findFault(places)
  let step = 0
  if (fault === null) for (const _ of replaceState(folder, database, plan)) onStep?.((step += 1))
  const { snapshot, missingUploads } = plan
  const outcome: RestoreOutcome = { snapshot, at: Date.now(), missingUploads, fault }
  onStep?.((step += 1))
  writeFileAtomically(places.outcome, JSON.stringify(outcome))
  onStep?.((step += 1))
  dropRestore(folder)
  return outcome
}

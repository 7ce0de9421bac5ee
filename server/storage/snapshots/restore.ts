// A snapshot takes the place of the present state in two parts: all that takes long and may fail is
// prepared beside it while the gateway runs; at the next start, before the database is opened, only
// names are changed, so that a kill at any moment leaves something the start after it completes.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { syncFile, syncFolder, writeFileAtomically } from '../../lib/write-file-atomically.ts'
import { toFileTime } from '../backups.ts'
import { damageMarkOf } from '../damage-mark.ts'
import { inspectFile, logsOf } from '../inspect-file.ts'
import { lendUpload } from './keep-uploads.ts'
import { readContent } from './manifest.ts'
import { joinSnapshot } from './open-snapshot.ts'
import { snapshotPlaces, type SnapshotSources } from './snapshot.ts'
import { listPieces, namesIn, pieceAt } from './stored-pieces.ts'

/** What became of bringing everything back. */
export interface RestoreOutcome {
  readonly snapshot: string
  /** Unix milliseconds. */
  readonly at: number
  /** Uploads of the snapshot whose bytes are nowhere any more. */
  readonly missingUploads: number
  /** Why the present state was kept; null when it was replaced. */
  readonly fault: string | null
}

interface Plan {
  readonly snapshot: string
  readonly missingUploads: number
  /** Of the folder the replaced files go to, so that a start that is repeated finds it. */
  readonly folder: string
}

export const placesOf = (folder: string) => {
  const restore = path.join(folder, 'restore')
  return {
    restore,
    database: path.join(restore, 'database.db'),
    uploads: path.join(restore, 'uploads'),
    /** Written last: without it nothing happens. */
    plan: path.join(restore, 'plan.json'),
    outcome: path.join(folder, 'last-restore.json'),
    /** Databases that were replaced, until they are in a snapshot. */
    replaced: path.join(folder, 'replaced'),
  }
}

/** Puts a snapshot together beside the present state and checks it; answers the missing uploads. */
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

/** From here on the next start brings back what was prepared. */
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
    // Each is written in one step; one that cannot be read was never there.
    return null
  }
}

export const readRestoreOutcome = (folder: string): RestoreOutcome | null =>
  readJson(placesOf(folder).outcome)

/** Folders with a database that was replaced and is in no snapshot yet, the oldest first. */
export const listReplaced = (folder: string): string[] =>
  namesIn(placesOf(folder).replaced)
    .toSorted()
    .map((name) => path.join(placesOf(folder).replaced, name))

function moveIfThere(file: string, target: string): void {
  if (existsSync(file)) renameSync(file, path.join(target, path.basename(file)))
}

/** Whatever of this was done before is skipped. */
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
  // The log goes with its database: nothing opens either of them in between.
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
 * Brings back what was prepared, if anything was; to be called with the data folder locked and the
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

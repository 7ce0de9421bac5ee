import path from 'node:path'

/** A state of the data folder that can be inspected and restored. */
export interface Snapshot {
  /** Time and label, as in its file name. */
  readonly id: string
  readonly takenAt: Date
  /** `hourly`, `manual`, or the change it was made before. */
  readonly label: string
  /** Size of the database and of the uploads it contains. */
  readonly bytes: number
  /** Size of its database alone; null for one an earlier version made. */
  readonly databaseBytes: number | null
  /** Disk space it took beyond the snapshots before it. */
  readonly addedBytes: number
  /** Reason why it cannot be used, if its own description is unreadable; else null. */
  readonly fault: string | null
}

export const HOURLY = 'hourly'
export const MANUAL = 'manual'
export const BEFORE_RESTORE = 'before-restore'

/** Returns the paths below the folder of the snapshots. */
export const snapshotPlaces = (folder: string) => ({
  list: path.join(folder, 'list'),
  blocks: path.join(folder, 'blocks'),
  uploads: path.join(folder, 'uploads'),
  /** For files being created or inspected; emptied on start. */
  work: path.join(folder, 'work'),
})

/** Sources and target folder of snapshots. */
export interface SnapshotSources {
  readonly database: string
  /** The folder of the uploads. */
  readonly uploads: string
  readonly folder: string
}

/** Fault of a snapshot, as a sentence for users. */
export class DamagedSnapshotError extends Error {}

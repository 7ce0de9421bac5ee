import path from 'node:path'

/** One state of the data folder that can be looked at and brought back. */
export interface Snapshot {
  /** Time and label, as its file is called. */
  readonly id: string
  readonly takenAt: Date
  /** `hourly`, `manual`, or what it was made before. */
  readonly label: string
  /** Of the database and of the uploads it stands for. */
  readonly bytes: number
  /** What it took on the disk beyond the snapshots before it. */
  readonly addedBytes: number
  /** Why it cannot be used, where its own description cannot be read; else null. */
  readonly fault: string | null
}

export const HOURLY = 'hourly'
export const MANUAL = 'manual'
export const BEFORE_RESTORE = 'before-restore'

/** Where everything lies below the folder of the snapshots. */
export const snapshotPlaces = (folder: string) => ({
  list: path.join(folder, 'list'),
  blocks: path.join(folder, 'blocks'),
  uploads: path.join(folder, 'uploads'),
  /** For what is being made and what is being looked at; emptied at the start. */
  work: path.join(folder, 'work'),
})

/** What snapshots are made of and where they go. */
export interface SnapshotSources {
  readonly database: string
  /** The folder of the uploads. */
  readonly uploads: string
  readonly folder: string
}

/** What is wrong with a snapshot, in a sentence for people. */
export class DamagedSnapshotError extends Error {}

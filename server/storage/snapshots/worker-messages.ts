import type { SnapshotSources } from './snapshot.ts'
import type { SnapshotWish } from './take-snapshot.ts'

/** Task of the thread. */
export type SnapshotTask =
  | { readonly kind: 'measure'; readonly sources: SnapshotSources }
  | { readonly kind: 'take'; readonly sources: SnapshotSources; readonly wish: SnapshotWish }
  | {
      readonly kind: 'remove'
      readonly sources: SnapshotSources
      readonly id: string
      readonly budget: number
    }
  | { readonly kind: 'restore'; readonly sources: SnapshotSources; readonly id: string }
  | {
      readonly kind: 'open'
      readonly sources: SnapshotSources
      readonly id: string
      readonly target: string
    }

/** Data of the thread. */
export interface SnapshotThread {
  readonly task: SnapshotTask
  /** See `shareTurns`. */
  readonly turns: Int32Array
}

/**
 * The id of the snapshot or its fault; the bytes of all snapshots for `measure`; the missing
 * uploads for a restore.
 */
export type SnapshotAnswer =
  | { readonly id: string | null }
  | { readonly damage: string }
  | { readonly bytes: number }
  | { readonly missingUploads: number }

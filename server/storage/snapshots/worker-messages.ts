import type { SnapshotSources } from './snapshot.ts'
import type { SnapshotWish } from './take-snapshot.ts'

/** What the thread is to do. */
export type SnapshotTask =
  | { readonly kind: 'measure'; readonly sources: SnapshotSources }
  | { readonly kind: 'take'; readonly sources: SnapshotSources; readonly wish: SnapshotWish }
  | { readonly kind: 'restore'; readonly sources: SnapshotSources; readonly id: string }
  | {
      readonly kind: 'open'
      readonly sources: SnapshotSources
      readonly id: string
      readonly target: string
    }

/**
 * The id of the snapshot or what is wrong with it; the bytes of all where they are measured; what
 * is missing where everything is to be brought back.
 */
export type SnapshotAnswer =
  | { readonly id: string | null }
  | { readonly damage: string }
  | { readonly bytes: number }
  | { readonly missingUploads: number }

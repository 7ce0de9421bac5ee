import { readContent, listSnapshots, removeManifest, type SnapshotContent } from './manifest.ts'
import { DamagedSnapshotError, snapshotPlaces, type Snapshot } from './snapshot.ts'
import { costOf, listPieces, pieceAt, sweepPieces } from './stored-pieces.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const WEEK = 7 * DAY
const MONTH = 30 * DAY

/** Returns the period in which only one snapshot is kept, by its age; 0 keeps each of them. */
function periodAt(age: number): number {
  if (age < DAY) return 0
  return age < MONTH ? DAY : WEEK
}

/**
 * Returns the snapshots to be removed as they age: all of a day are kept, then one a day for a
 * month, then one a week. `snapshots` are newest first, and the newest of each period stays.
 */
export function findThinned(snapshots: readonly Snapshot[], now: Date): Snapshot[] {
  const seen = new Set<string>()
  return snapshots.filter(({ takenAt }, index) => {
    const period = periodAt(now.getTime() - takenAt.getTime())
    if (period === 0 || index === 0) return false
    const slot = `${period} ${Math.floor(takenAt.getTime() / period)}`
    if (seen.has(slot)) return true
    seen.add(slot)
    return false
  })
}

interface ReadSnapshots {
  /** Newest first. */
  readonly sound: readonly Snapshot[]
  /** Those whose description cannot be read, so that nothing can be restored from them. */
  readonly damaged: readonly Snapshot[]
  readonly contents: ReadonlyMap<string, SnapshotContent>
}

/** The content is undefined if the description of the snapshot is damaged. */
function readIfSound(folder: string, id: string): SnapshotContent | undefined {
  try {
    return readContent(folder, id)
  } catch (error) {
    if (error instanceof DamagedSnapshotError) return undefined
    throw error
  }
}

function readAll(folder: string): ReadSnapshots {
  const snapshots = listSnapshots(folder)
  const contents = new Map<string, SnapshotContent>()
  for (const { id } of snapshots) {
    const content = readIfSound(folder, id)
    if (content) contents.set(id, content)
  }
  return {
    sound: snapshots.filter(({ id }) => contents.has(id)),
    damaged: snapshots.filter(({ id }) => !contents.has(id)),
    contents,
  }
}

/** Counts the snapshots that need each piece. */
function countUses(contents: Iterable<readonly string[]>): Map<string, number> {
  const uses = new Map<string, number>()
  for (const ids of contents) for (const id of new Set(ids)) uses.set(id, (uses.get(id) ?? 0) + 1)
  return uses
}

/** One kind of pieces, with the space the snapshots take in it. */
class Shelf {
  readonly #folder: string
  readonly #uses: Map<string, number>
  bytes = 0

  constructor(folder: string, contents: Iterable<readonly string[]>) {
    this.#folder = folder
    this.#uses = countUses(contents)
    for (const id of this.#uses.keys()) this.bytes += costOf(pieceAt(folder, id))
  }

  release(ids: readonly string[]): void {
    for (const id of new Set(ids)) {
      const left = this.#uses.get(id)! - 1
      this.#uses.set(id, left)
      if (left === 0) this.bytes -= costOf(pieceAt(this.#folder, id))
    }
  }

  sweep(): void {
    sweepPieces(this.#folder, (id) => (this.#uses.get(id) ?? 0) > 0)
  }
}

/** Returns the bytes on disk used by the snapshots alone. */
export function measureStored(folder: string): number {
  const { blocks, uploads } = snapshotPlaces(folder)
  let bytes = 0
  for (const id of listPieces(blocks)) bytes += costOf(pieceAt(blocks, id))
  for (const id of listPieces(uploads)) bytes += costOf(pieceAt(uploads, id))
  return bytes
}

/**
 * Thins the snapshots out, then removes the oldest until the rest fit the budget; the newest always
 * stays. It is unknown which pieces a snapshot with a damaged description needs, so all pieces stay
 * while there is space; once there is none, the damaged ones are the first to go.
 */
export function tidySnapshots(folder: string, budget: number, now: Date): void {
  const { sound, damaged, contents } = readAll(folder)
  const thinned = new Set(findThinned(sound, now))
  for (const { id } of thinned) removeManifest(folder, id)
  if (damaged.length > 0 && measureStored(folder) <= budget) return
  for (const { id } of damaged) removeManifest(folder, id)
  const kept = sound.filter((snapshot) => !thinned.has(snapshot))
  const shelve = (place: string, kind: keyof SnapshotContent): Shelf =>
    new Shelf(
      place,
      kept.map(({ id }) => contents.get(id)![kind]),
    )
  const places = snapshotPlaces(folder)
  const blocks = shelve(places.blocks, 'blocks')
  const uploads = shelve(places.uploads, 'uploads')
  for (const { id } of kept.slice(1).toReversed()) {
    if (blocks.bytes + uploads.bytes <= budget) break
    removeManifest(folder, id)
    blocks.release(contents.get(id)!.blocks)
    uploads.release(contents.get(id)!.uploads)
  }
  blocks.sweep()
  uploads.sweep()
}

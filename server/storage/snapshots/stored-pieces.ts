import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'

const PART = '.new'

/**
 * Returns the path of a file by its id, in subfolders by the first letters so that no folder gets
 * large.
 */
export const pieceAt = (folder: string, id: string): string => path.join(folder, id.slice(0, 2), id)

/** Returns the path of a piece until it is complete. */
export const growingPieceAt = (folder: string, id: string): string =>
  `${pieceAt(folder, id)}${PART}`

export function makeShelf(folder: string, id: string): void {
  mkdirSync(path.join(folder, id.slice(0, 2)), { recursive: true, mode: 0o700 })
}

export const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

/** Yields every complete piece. */
export function* listPieces(folder: string): Generator<string> {
  for (const shelf of namesIn(folder)) {
    const place = path.join(folder, shelf)
    if (!statSync(place).isDirectory()) continue
    for (const name of readdirSync(place)) if (!name.endsWith(PART)) yield name
  }
}

/** Removes pieces that no snapshot needs, and incomplete ones of a killed process. */
export function sweepPieces(folder: string, isNeeded: (id: string) => boolean): void {
  for (const shelf of namesIn(folder)) {
    const place = path.join(folder, shelf)
    if (!statSync(place).isDirectory()) continue
    for (const name of readdirSync(place)) {
      if (name.endsWith(PART) || !isNeeded(name)) rmSync(path.join(place, name), { force: true })
    }
  }
}

/**
 * Returns the disk space a piece takes for the snapshots alone: a file with another hard link costs
 * nothing.
 */
export function costOf(file: string): number {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats === undefined || stats.nlink > 1 ? 0 : stats.size
}

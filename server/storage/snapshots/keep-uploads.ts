import { constants, copyFileSync, linkSync, mkdirSync, renameSync, statSync } from 'node:fs'
import path from 'node:path'
import { syncFile } from '../../lib/write-file-atomically.ts'
import { growingPieceAt, listPieces, makeShelf, pieceAt } from './stored-pieces.ts'

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

/**
 * A second name for the same bytes, which never change; a copy on disks that cannot do that. False
 * when the bytes are gone.
 */
function giveSecondName(source: string, target: string, growing: string): boolean {
  try {
    linkSync(source, target)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return true
    if (codeOf(error) === 'ENOENT') return false
    copyFileSync(source, growing, constants.COPYFILE_FICLONE)
    syncFile(growing)
    renameSync(growing, target)
    return true
  }
}

/** What was kept, by id, and how much of it. */
export interface KeptUploads {
  readonly ids: ReadonlySet<string>
  readonly bytes: number
  readonly added: number
}

/**
 * Keeps all uploads there are, beside those that were `before`; what is deleted in the same moment
 * is left out.
 */
export function keepUploads(uploads: string, folder: string, before?: KeptUploads): KeptUploads {
  const ids = new Set(before?.ids)
  let bytes = before?.bytes ?? 0
  let added = before?.added ?? 0
  for (const id of listPieces(uploads)) {
    if (ids.has(id)) continue
    const source = pieceAt(uploads, id)
    const stats = statSync(source, { throwIfNoEntry: false })
    if (!stats?.isFile()) continue
    const target = pieceAt(folder, id)
    if (!statSync(target, { throwIfNoEntry: false })) {
      makeShelf(folder, id)
      if (!giveSecondName(source, target, growingPieceAt(folder, id))) continue
      if (statSync(target).nlink === 1) added += stats.size
    }
    ids.add(id)
    bytes += stats.size
  }
  return { ids, bytes, added }
}

/** Gives a kept upload a name of its own; false when the snapshots have it no more. */
export function lendUpload(folder: string, id: string, target: string): boolean {
  mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 })
  return giveSecondName(pieceAt(folder, id), target, `${target}.new`)
}

import { constants, copyFileSync, linkSync, mkdirSync, renameSync, statSync } from 'node:fs'
import path from 'node:path'
import { syncFile } from '../../lib/write-file-atomically.ts'
import { growingPieceAt, listPieces, makeShelf, pieceAt } from './stored-pieces.ts'

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

/**
 * Creates a hard link to the bytes, which never change; a copy on disks without hard links. Returns
 * false if the bytes are deleted.
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

/** Ids and size of the kept uploads. */
export interface KeptUploads {
  readonly ids: ReadonlySet<string>
  readonly bytes: number
  readonly added: number
}

/**
 * Keeps all existing uploads, in addition to those `before`; omits those deleted at the same
 * moment.
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

/** Creates a link to a kept upload; returns false if the snapshots no longer have it. */
export function lendUpload(folder: string, id: string, target: string): boolean {
  mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 })
  return giveSecondName(pieceAt(folder, id), target, `${target}.new`)
}

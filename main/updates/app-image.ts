import { createHash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { UpdateError } from './update-problem.ts'

const PIECE = 1024 * 1024

/** Returns the path of the previous version, which is kept one step back. */
export const previousOf = (appImage: string): string => `${appImage}.previous`

function digest(file: string): string {
  const hash = createHash('sha512')
  const handle = openSync(file, 'r')
  const piece = Buffer.alloc(PIECE)
  try {
    for (let size = readSync(handle, piece); size > 0; size = readSync(handle, piece))
      hash.update(piece.subarray(0, size))
    return hash.digest('base64')
  } finally {
    closeSync(handle)
  }
}

/** Copies a program and flushes it to disk. */
function copyProgram(from: string, to: string): void {
  copyFileSync(from, to)
  chmodSync(to, 0o755)
  const handle = openSync(to, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/**
 * Replaces the current AppImage by a downloaded one and keeps the old one beside it. At every
 * moment there is a complete program at the path, even if this is interrupted.
 */
export function swapAppImage(appImage: string, downloaded: string, sha512: string): void {
  const next = `${appImage}.new`
  try {
    copyProgram(downloaded, next)
    if (digest(next) !== sha512)
      throw new UpdateError('checksum', 'The downloaded file has changed since it was checked.')
    copyProgram(appImage, `${previousOf(appImage)}.new`)
    renameSync(`${previousOf(appImage)}.new`, previousOf(appImage))
    renameSync(next, appImage)
  } finally {
    rmSync(next, { force: true })
    rmSync(`${previousOf(appImage)}.new`, { force: true })
  }
}

/** Restores the kept AppImage; returns false if it is gone. */
export function bringBackAppImage(appImage: string, previous: string): boolean {
  if (!existsSync(previous)) return false
  copyProgram(previous, `${appImage}.new`)
  renameSync(`${appImage}.new`, appImage)
  return true
}

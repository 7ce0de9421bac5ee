import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

function sync(target: string, flags: string): void {
  const handle = openSync(target, flags)
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Makes the contents of a file survive a power failure. */
export const syncFile = (file: string): void => sync(file, 'r+')

/**
 * Makes a rename or a new name in `folder` survive a power failure; Windows cannot open folders and
 * does this itself.
 */
export function syncFolder(folder: string): void {
  if (process.platform !== 'win32') sync(folder, 'r')
}

/**
 * Replaces a file atomically, readable by its owner only: a reader sees the old or the new content,
 * never a part.
 */
export function writeFileAtomically(file: string, content: string): void {
  replaceFile(file, content, { flush: true })
  syncFolder(path.dirname(file))
}

/**
 * Same as `writeFileAtomically`, without flushing to disk: for a file that has no meaning after this
 * process has ended.
 */
export const writeRunFile = (file: string, content: string): void =>
  replaceFile(file, content, { flush: false })

function replaceFile(file: string, content: string, { flush }: { flush: boolean }): void {
  const temporary = `${file}.${process.pid}.new`
  try {
    writeFileSync(temporary, content, { mode: 0o600, flush })
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

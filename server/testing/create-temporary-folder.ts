import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * Data folder for tests that kill a process: on a disk, even if the folder for temporary files is
 * in memory, so that the process is killed while it waits for the disk.
 */
export const folderOnDisk = (): string => process.env['DISK_TMPDIR'] ?? tmpdir()

/** Creates an empty folder that is removed when the running test ends. */
export function createTemporaryFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(path.join(parent, 'chat-gateway-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

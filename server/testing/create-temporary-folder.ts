import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * Where tests that kill a process keep its data: on a disk, also where the folder for temporary
 * files is in memory, as the process is then met in the middle of a wait for it.
 */
export const folderOnDisk = (): string => process.env['DISK_TMPDIR'] ?? tmpdir()

/** An empty folder that is removed when the running test ends. */
export function createTemporaryFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(path.join(parent, 'chat-gateway-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

import { mkdir, statfs } from 'node:fs/promises'
import { freemem, totalmem } from 'node:os'

/** Returns the memory of this computer, and the bytes that are free where a folder is. */
export async function measureSpace(folder: string) {
  await mkdir(folder, { recursive: true })
  const { bavail, bsize } = await statfs(folder)
  return { memory: { total: totalmem(), free: freemem() }, disk_free: bavail * bsize }
}

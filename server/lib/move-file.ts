import { copyFile, rename, rm } from 'node:fs/promises'

/**
 * Moves a file, also to a folder on another disk. The new name then appears with the whole content;
 * if that fails, the file stays where it is.
 */
export async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error
    await copyAcross(from, to)
    await rm(from, { force: true })
  }
}

async function copyAcross(from: string, to: string): Promise<void> {
  const partial = `${to}.part`
  try {
    await copyFile(from, partial)
    await rename(partial, to)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

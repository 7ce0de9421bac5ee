import {
  lstatSync,
  openSync,
  closeSync,
  fstatSync,
  readFileSync,
  readdirSync,
  constants,
} from 'node:fs'
import path from 'node:path'

const LARGEST_FILE = 64 * 1024 * 1024
const MOST_FILES = 200_000
const DEEPEST = 8

export interface FoundFile {
  readonly path: string
  /** Names of its parent folders, below the root. */
  readonly folders: readonly string[]
  readonly name: string
}

/** Lists all files below a folder; none if it does not exist. Does not follow links. */
export function listFiles(root: string): FoundFile[] {
  const found: FoundFile[] = []
  if (lstatSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) return found
  const waiting: (readonly string[])[] = [[]]
  for (let folders = waiting.pop(); folders !== undefined; folders = waiting.pop()) {
    for (const entry of readdirSync(path.join(root, ...folders), { withFileTypes: true })) {
      if (found.length >= MOST_FILES) return found
      if (entry.isDirectory() && folders.length < DEEPEST) waiting.push([...folders, entry.name])
      if (entry.isFile())
        found.push({ path: path.join(root, ...folders, entry.name), folders, name: entry.name })
    }
  }
  return found
}

/** Reads a regular file: no link, no pipe, and within the size limit. Null for everything else. */
export function readText(file: string): string | null {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return null
  // A link that has replaced the file meanwhile is not followed.
  const handle = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    const state = fstatSync(handle)
    return state.isFile() && state.size <= LARGEST_FILE ? readFileSync(handle, 'utf8') : null
  } finally {
    closeSync(handle)
  }
}

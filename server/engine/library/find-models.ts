import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { readBlobStore } from './blob-store.ts'
import type { FoundModel } from './found-model.ts'

const ENDING = /\.gguf$/i
/** Parts of a model but the first, which the engine opens by itself. */
const LATER_PART = /-(?!00001)\d{5}-of-\d{5}\.gguf$/i
const FIRST_PART = /-00001-of-\d{5}$/
const MOST_DEPTH = 4
const MOST_FILES = 2000

/** The name of a file as calls spell it. */
export const toModelName = (file: string): string =>
  path.basename(file).replace(ENDING, '').replace(FIRST_PART, '').toLowerCase()

/** Whether a text can be the name of a file of a model, and of nothing else. */
export const isFileName = (text: string): boolean => /^\w[\w.-]{0,180}\.gguf$/i.test(text)

/** The model files in a folder and those below it, as far as programs nest them. */
async function findFiles(folder: string, depth = 0): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const found: string[] = []
  for (const entry of entries) {
    const place = path.join(folder, entry.name)
    if (entry.isDirectory() && depth < MOST_DEPTH)
      found.push(...(await findFiles(place, depth + 1)))
    else if (entry.isFile() && ENDING.test(entry.name) && !LATER_PART.test(entry.name))
      found.push(place)
    if (found.length >= MOST_FILES) break
  }
  return found
}

/** The models of a folder, whether they are files with names or blobs that lists name. */
export async function findModels(folder: string): Promise<FoundModel[]> {
  const blobs = await readBlobStore(folder)
  if (blobs !== null) return blobs
  const files = (await findFiles(folder)).toSorted()
  return files.map((file) => ({ name: toModelName(file), file }))
}

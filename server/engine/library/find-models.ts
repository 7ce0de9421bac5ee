import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { readBlobStore } from './blob-store.ts'
import type { FoundModel } from './found-model.ts'

const ENDING = /\.gguf$/i
/** Parts of a model except the first one; the engine opens them itself. */
const LATER_PART = /-(?!00001)\d{5}-of-\d{5}\.gguf$/i
const FIRST_PART = /-00001-of-\d{5}$/
const MOST_DEPTH = 4
const MOST_FILES = 2000

/** Returns the model name of a file as calls spell it. */
export const toModelName = (file: string): string =>
  path.basename(file).replace(ENDING, '').replace(FIRST_PART, '').toLowerCase()

/** Reports whether a text is a plain file name of a model. */
export const isFileName = (text: string): boolean => /^\w[\w.-]{0,180}\.gguf$/i.test(text)

/** Returns the model files in a folder and its subfolders, to the depth that programs use. */
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

/** Returns the models of a folder, either named files or blobs listed in manifests. */
export async function findModels(folder: string): Promise<FoundModel[]> {
  const blobs = await readBlobStore(folder)
  if (blobs !== null) return blobs
  const files = (await findFiles(folder)).toSorted()
  return files.map((file) => ({ name: toModelName(file), file }))
}

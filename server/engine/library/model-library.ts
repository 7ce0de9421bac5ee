import { createHash } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { notFound, conflict } from '../../lib/errors.ts'
import type { ModelEntry } from './model-entry.ts'
import { GgufFault, readGguf } from './read-gguf.ts'

/** A folder models are looked for in. */
export interface ModelFolder {
  readonly path: string
  readonly owner: string | null
}

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
export async function findFiles(folder: string, depth = 0): Promise<string[]> {
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

interface Known {
  readonly digest: string
  readonly info: ModelEntry['info']
  readonly problem: string | null
}

/** The model files of our own folder and of those that were named; the others are never changed. */
export class ModelLibrary {
  readonly folder: string
  readonly #others: () => Promise<readonly ModelFolder[]>
  readonly #known = new Map<string, Known>()
  /** What the last look through the folders found. */
  #found: ReadonlyMap<string, ModelEntry> = new Map()
  readonly #listeners: (() => void)[] = []

  constructor(folder: string, others: () => Promise<readonly ModelFolder[]>) {
    this.folder = folder
    this.#others = others
  }

  /** Hears when a model was added or deleted here. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener)
  }

  /** Tells everybody that there may be other models now. */
  announce(): void {
    this.#found = new Map()
    for (const listener of this.#listeners) listener()
  }

  /** One entry for each name, our own files first. */
  async list(): Promise<ModelEntry[]> {
    const folders = [{ path: this.folder, owner: null }, ...(await this.#others())]
    const entries = new Map<string, ModelEntry>()
    for (const { path: folder, owner } of folders) {
      for (const file of (await findFiles(folder)).toSorted()) {
        const name = toModelName(file)
        const entry = entries.has(name) ? null : await this.#read(name, file, owner)
        if (entry) entries.set(name, entry)
      }
    }
    this.#found = entries
    return [...entries.values()]
  }

  /** The model of a name, with or without the tag `latest`. */
  async find(name: string): Promise<ModelEntry | null> {
    const wanted = name.replace(/:latest$/, '').toLowerCase()
    // Every call asks, so that the folders are looked through for unknown names alone.
    const last = this.#found.get(wanted)
    const same = last && (await this.#read(wanted, last.file, last.owner))
    if (same) return same
    return (await this.list()).find((entry) => entry.name === wanted) ?? null
  }

  /** Deletes a model of our own folder, all its parts included. */
  async remove(name: string): Promise<void> {
    const entry = await this.find(name)
    if (!entry) throw notFound(`There is no model "${name}".`, { code: 'model_not_found' })
    if (entry.owner !== null)
      throw conflict(`This model belongs to ${entry.owner} and is only used here. Delete it there.`)
    const files = await readdir(path.dirname(entry.file))
    const parts = files.filter((file) => ENDING.test(file) && isPartOf(file, entry.name))
    for (const part of parts) await rm(path.join(path.dirname(entry.file), part), { force: true })
    this.#known.delete(entry.file)
    this.announce()
  }

  /** Takes a finished file in, which stays where it is when it is no model. */
  async take(file: string, name: string): Promise<ModelEntry> {
    await readGguf(file)
    await mkdir(this.folder, { recursive: true })
    const target = path.join(this.folder, name)
    await rename(file, target)
    this.#known.delete(target)
    const entry = await this.#read(toModelName(name), target, null)
    if (!entry) throw notFound('The file of the model is gone.')
    this.announce()
    return entry
  }

  async #read(name: string, file: string, owner: string | null): Promise<ModelEntry | null> {
    const found = await stat(file).catch(() => null)
    if (!found?.isFile()) return null
    const stamp = `${file}\0${found.size}\0${found.mtimeMs}`
    const digest = createHash('sha256').update(stamp).digest('hex')
    let known = this.#known.get(file)
    if (known?.digest !== digest) {
      known = { digest, ...(await describe(file)) }
      this.#known.set(file, known)
    }
    return { name, file, bytes: found.size, modifiedAt: found.mtime, owner, ...known }
  }
}

const isPartOf = (file: string, name: string): boolean =>
  file
    .replace(ENDING, '')
    .replace(/-\d{5}-of-\d{5}$/, '')
    .toLowerCase() === name

async function describe(file: string): Promise<Pick<Known, 'info' | 'problem'>> {
  try {
    return { info: await readGguf(file), problem: null }
  } catch (error) {
    const problem =
      error instanceof GgufFault ? error.message : 'The file of this model cannot be read.'
    return { info: null, problem }
  }
}

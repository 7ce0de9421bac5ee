import { createHash } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { notFound, conflict } from '../../lib/errors.ts'
import { moveFile } from '../../lib/move-file.ts'
import { findModels, toModelName } from './find-models.ts'
import type { ModelEntry } from './model-entry.ts'
import { PulledNames } from './pulled-names.ts'
import { GgufFault, readGguf } from './read-gguf.ts'

/** A folder searched for models. */
export interface ModelFolder {
  readonly path: string
  readonly owner: string | null
}

const ENDING = /\.gguf$/i
/**
 * Time in which a file is not looked at again: the file system takes longer than everything else
 * that a call needs before it reaches the engine.
 */
const FRESH_MILLISECONDS = 1000
const LATEST_TAG = ':latest'
const LATEST = /:latest$/

interface Known {
  readonly digest: string
  readonly info: ModelEntry['info']
  readonly problem: string | null
}

interface Found {
  readonly entry: ModelEntry
  readonly lookedAt: number
}

/**
 * The model files of the gateway's own folder and of other configured folders, which are never
 * changed.
 */
export class ModelLibrary {
  readonly folder: string
  readonly #others: () => Promise<readonly ModelFolder[]>
  readonly #release: (file: string) => Promise<void>
  readonly #pulled: PulledNames
  readonly #known = new Map<string, Known>()
  /** Result of the last scan of the folders, and of later looks at single files. */
  #found = new Map<string, Found>()
  readonly #listeners: (() => void)[] = []

  /** `release` is called before a file is deleted or replaced, which may be in use. */
  constructor(
    folder: string,
    others: () => Promise<readonly ModelFolder[]>,
    release: (file: string) => Promise<void> = () => Promise.resolve(),
  ) {
    this.folder = folder
    this.#others = others
    this.#release = release
    this.#pulled = new PulledNames(folder)
  }

  /** Registers a listener that is called when a model was added or deleted here. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener)
  }

  /** Notifies the listeners that the models may have changed. */
  announce(): void {
    this.#found = new Map()
    for (const listener of this.#listeners) listener()
  }

  /** Returns one entry per name; the gateway's own files take precedence. */
  async list(): Promise<ModelEntry[]> {
    const folders = [{ path: this.folder, owner: null }, ...(await this.#others())]
    const entries = new Map<string, ModelEntry>()
    for (const { path: folder, owner } of folders) {
      for (const { name, file } of await findModels(folder)) {
        const entry = entries.has(name) ? null : await this.#read(name, file, owner)
        if (entry) entries.set(name, entry)
      }
    }
    const lookedAt = performance.now()
    this.#found = new Map([...entries].map(([name, entry]) => [name, { entry, lookedAt }]))
    return [...entries.values()]
  }

  /**
   * Returns the model with a name, with or without the tag `latest`, or with the name of the
   * repository it was pulled from.
   */
  async find(name: string): Promise<ModelEntry | null> {
    const listed = await this.#findListed(name)
    if (listed) return listed
    const pulled = await this.#pulled.find(name)
    return pulled === null ? null : this.#findListed(pulled)
  }

  async #findListed(name: string): Promise<ModelEntry | null> {
    const asked = name.toLowerCase()
    const names = [asked, asked.replace(LATEST, ''), `${asked}${LATEST_TAG}`]
    // Called for every request; the folders are scanned only for unknown names.
    const last = names.flatMap((each) => this.#found.get(each) ?? [])[0]
    if (last && performance.now() - last.lookedAt < FRESH_MILLISECONDS) return last.entry
    const same = last && (await this.#read(last.entry.name, last.entry.file, last.entry.owner))
    if (same) {
      this.#found.set(same.name, { entry: same, lookedAt: performance.now() })
      return same
    }
    const entries = await this.list()
    return entries.find((entry) => names.includes(entry.name)) ?? null
  }

  /** Deletes a model of the gateway's own folder, including all its parts. */
  async remove(name: string): Promise<void> {
    const entry = await this.find(name)
    if (!entry) throw notFound(`There is no model "${name}".`, { code: 'model_not_found' })
    if (entry.owner !== null)
      throw conflict(`This model belongs to ${entry.owner} and is only used here. Delete it there.`)
    await this.#release(entry.file)
    const files = await readdir(path.dirname(entry.file))
    const parts = files.filter((file) => ENDING.test(file) && isPartOf(file, entry.name))
    for (const part of parts) await rm(path.join(path.dirname(entry.file), part), { force: true })
    this.#known.delete(entry.file)
    await this.#pulled.forget(entry.name)
    this.announce()
  }

  /** Has a model answer to the name of the repository it was pulled from. */
  async notePulled(name: string, model: string): Promise<void> {
    await this.#pulled.note(name, model)
    this.announce()
  }

  /** Adds a finished file; it is not moved if it is not a model. */
  async take(file: string, name: string): Promise<ModelEntry> {
    await readGguf(file)
    await mkdir(this.folder, { recursive: true })
    const target = path.join(this.folder, name)
    await this.#release(target)
    await moveFile(file, target)
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
    const pulledNames = await this.#pulled.namesOf(name)
    const { size: bytes, mtime: modifiedAt } = found
    return { name, pulledNames, file, bytes, modifiedAt, owner, ...known }
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

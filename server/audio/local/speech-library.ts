import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { badRequest, conflict, notFound } from '../../lib/errors.ts'
import { moveFile } from '../../lib/move-file.ts'
import { toFileName, toName } from './offered-models.ts'
import { readSpeechModel, SpeechModelFault, type SpeechModelInfo } from './read-speech-model.ts'

/** A speech model on this computer. */
export interface SpeechModelEntry {
  readonly name: string
  readonly file: string
  readonly bytes: number
  readonly info: SpeechModelInfo | null
  /** Reason it cannot be used, as a sentence; null if it can. */
  readonly problem: string | null
}

interface Known {
  readonly stamp: string
  readonly info: SpeechModelInfo | null
  readonly problem: string | null
}

/** Manages the speech models in the gateway's folder. */
export class SpeechLibrary {
  readonly folder: string
  readonly #known = new Map<string, Known>()
  readonly #onTaken: (name: string) => Promise<void>

  /** `onTaken` is called for each added model. */
  constructor(folder: string, onTaken: (name: string) => Promise<void>) {
    this.folder = folder
    this.#onTaken = onTaken
  }

  async list(): Promise<SpeechModelEntry[]> {
    const files = await readdir(this.folder).catch((): string[] => [])
    const entries = await Promise.all(
      files.toSorted().map((file) => this.#read(path.join(this.folder, file))),
    )
    return entries.filter((entry) => entry !== null)
  }

  /** Finds a model by its name or its file name. */
  async find(name: string): Promise<SpeechModelEntry | null> {
    const wanted = toName(name) ?? name
    return (await this.list()).find((entry) => entry.name === wanted) ?? null
  }

  async remove(name: string): Promise<void> {
    const entry = await this.find(name)
    if (!entry) throw notFound(`There is no speech model "${name}".`, { code: 'model_not_found' })
    await rm(entry.file, { force: true })
    this.#known.delete(entry.file)
  }

  /** Moves a finished file into the library; it stays where it is if it is not a speech model. */
  async take(file: string, fileName: string): Promise<SpeechModelEntry> {
    const name = toName(fileName)
    if (name === null) throw badRequest('The name of the file has to end with ".bin".')
    if (await this.find(name)) throw conflict('There is a speech model of this name already.')
    await readSpeechModel(file).catch((error: unknown) => {
      throw error instanceof SpeechModelFault ? badRequest(error.message) : error
    })
    await mkdir(this.folder, { recursive: true })
    const target = path.join(this.folder, toFileName(name))
    await moveFile(file, target)
    const entry = await this.#read(target)
    if (!entry) throw notFound('The file of the speech model is gone.')
    await this.#onTaken(name)
    return entry
  }

  async #read(file: string): Promise<SpeechModelEntry | null> {
    const name = toName(path.basename(file))
    const found = name === null ? null : await stat(file).catch(() => null)
    if (name === null || !found?.isFile()) return null
    const stamp = `${found.size} ${found.mtimeMs}`
    let known = this.#known.get(file)
    if (known?.stamp !== stamp) {
      known = { stamp, ...(await describe(file)) }
      this.#known.set(file, known)
    }
    const { info, problem } = known
    return { name, file, bytes: found.size, info, problem }
  }
}

async function describe(file: string): Promise<Pick<Known, 'info' | 'problem'>> {
  try {
    return { info: await readSpeechModel(file), problem: null }
  } catch (error) {
    const problem =
      error instanceof SpeechModelFault
        ? error.message
        : 'The file of this speech model cannot be read.'
    return { info: null, problem }
  }
}

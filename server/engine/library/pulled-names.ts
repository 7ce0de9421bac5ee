import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from '#contract/lazy-zod.ts'
import { writeFileAtomically } from '../../lib/write-file-atomically.ts'

const namesSchema = z.record(z.string(), z.string())

/**
 * The names of repositories by which models were pulled, such as `owner/name:q8_0`. Clients call a
 * model by the name they pulled, while it is listed by that of its file.
 */
export class PulledNames {
  readonly #file: string
  #reading: Promise<Map<string, string>> | null = null

  constructor(folder: string) {
    this.#file = path.join(folder, 'pulled-names.json')
  }

  /** Returns the model that was pulled by a name; null if there is none. */
  async find(name: string): Promise<string | null> {
    return (await this.#names()).get(name.toLowerCase()) ?? null
  }

  /** Returns the names by which a model was pulled. */
  async namesOf(model: string): Promise<string[]> {
    return [...(await this.#names())].flatMap(([name, named]) => (named === model ? [name] : []))
  }

  async note(name: string, model: string): Promise<void> {
    const names = await this.#names()
    names.set(name.toLowerCase(), model)
    this.#write(names)
  }

  async forget(model: string): Promise<void> {
    const gone = await this.namesOf(model)
    if (gone.length === 0) return
    const names = await this.#names()
    for (const name of gone) names.delete(name)
    this.#write(names)
  }

  #names(): Promise<Map<string, string>> {
    return (this.#reading ??= this.#read())
  }

  /** A missing or damaged file costs the names only: models still answer to those of their files. */
  async #read(): Promise<Map<string, string>> {
    try {
      const stored: unknown = JSON.parse(await readFile(this.#file, 'utf8'))
      return new Map(Object.entries(namesSchema.parse(stored)))
    } catch {
      return new Map()
    }
  }

  #write(names: ReadonlyMap<string, string>): void {
    mkdirSync(path.dirname(this.#file), { recursive: true })
    writeFileAtomically(this.#file, JSON.stringify(Object.fromEntries(names)))
  }
}

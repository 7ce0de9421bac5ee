import { rmSync } from 'node:fs'
import { z } from 'zod'
import { readTextFile, writeTextFile } from '../profile/atomic-file.ts'

const markSchema = z.object({
  from: z.string(),
  to: z.string(),
  /** Previous program, if it could be kept. */
  previous: z.string().nullable(),
  /** Copy of the database made before the update. */
  backup: z.string(),
  /** Number of starts of the new version so far. */
  starts: z.int().min(0),
})
export type Mark = z.output<typeof markSchema>

/**
 * A note that exists from before an update is installed until the new version has shown its window,
 * so that a failing version is detected.
 */
export class UpdateMark {
  readonly #file: string
  #mark: Mark | null

  constructor(file: string) {
    this.#file = file
    this.#mark = read(file)
  }

  get current(): Mark | null {
    return this.#mark
  }

  set(mark: Mark): void {
    writeTextFile(this.#file, `${JSON.stringify(mark, null, 2)}\n`)
    this.#mark = mark
  }

  clear(): void {
    if (!this.#mark) return
    rmSync(this.#file, { force: true })
    this.#mark = null
  }
}

function read(file: string): Mark | null {
  try {
    const text = readTextFile(file)
    return text === null ? null : markSchema.parse(JSON.parse(text))
  } catch {
    // Without the note, only the offer to go back is lost.
    return null
  }
}

/**
 * Action of a start according to the note: none, report that the update was not installed, or offer
 * the previous version because an earlier start of the new one never showed its window.
 */
export type AfterUpdate = 'nothing' | 'not-installed' | 'first-start' | 'did-not-come-up'

/**
 * Counts a start of the new version, and deletes a note about versions that are no longer
 * installed.
 */
export function noteStart(mark: UpdateMark, version: string): AfterUpdate {
  const noted = mark.current
  if (!noted) return 'nothing'
  if (noted.to === version) {
    mark.set({ ...noted, starts: noted.starts + 1 })
    return noted.starts === 0 ? 'first-start' : 'did-not-come-up'
  }
  mark.clear()
  return noted.from === version ? 'not-installed' : 'nothing'
}

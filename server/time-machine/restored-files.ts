import { rm } from 'node:fs/promises'
import { endpoints } from '#contract/endpoints.ts'
import type { Files, OldFile } from '../files/index.ts'
import { ServiceError } from '../lib/errors.ts'
import type { Caller, ServeOptions } from '../lib/http.ts'
import { isRecord } from '../lib/is-record.ts'
import { runInTurns } from '../lib/turns.ts'
import type { Snapshots } from '../storage/snapshots/index.ts'
import type { StoredThings } from './stored-things.ts'

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

interface PresentFiles {
  readonly files: Files
  readonly requirePermitted: ServeOptions['requirePermitted']
  /** See `Snapshots`. */
  readonly snapshots: Snapshots
}

/** Replaces each text within a JSON value, in short steps. */
function* replaceTexts(
  value: unknown,
  replace: (text: string) => string,
): Generator<void, unknown> {
  yield
  if (typeof value === 'string') return replace(value)
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (const item of value as unknown[]) items.push(yield* replaceTexts(item, replace))
    return items
  }
  if (!isRecord(value)) return value
  const entries: [string, unknown][] = []
  for (const [key, item] of Object.entries(value))
    entries.push([key, yield* replaceTexts(item, replace)])
  return Object.fromEntries(entries)
}

/**
 * Deleted files that objects of a snapshot refer to: they are restored as new files of the caller,
 * and the objects refer to those.
 */
export class RestoredFiles {
  readonly #things: StoredThings
  readonly #present: PresentFiles
  readonly #caller: Caller
  /** The new id of each restored file; null if it could not be restored. */
  readonly #ids = new Map<string, string | null>()
  #missing = 0

  constructor(things: StoredThings, present: PresentFiles, caller: Caller) {
    this.#things = things
    this.#present = present
    this.#caller = caller
  }

  /** Numbers of restored files, and of files whose bytes are no longer in the snapshots. */
  get counts(): { files: number; missing_files: number } {
    const files = [...this.#ids.values()].filter((id) => id !== null).length
    return { files, missing_files: this.#missing }
  }

  /** Restores the files an object refers to; resolves with the object with updated references. */
  async restore<Thing>(thing: Thing): Promise<Thing> {
    const found = new Set<string>()
    const collect = (text: string): string => {
      for (const [id] of text.matchAll(ID)) if (!this.#ids.has(id)) found.add(id)
      return text
    }
    await runInTurns(replaceTexts(thing, collect))
    for (const id of found) this.#ids.set(id, await this.#restoreOne(id))
    if (this.counts.files === 0) return thing
    const replace = (text: string): string => text.replace(ID, (id) => this.#ids.get(id) ?? id)
    return (await runInTurns(replaceTexts(thing, replace))) as Thing
  }

  /** Removes the restored files again, because the object could not be stored. */
  async undo(): Promise<void> {
    for (const id of this.#ids.values()) if (id !== null) await this.#present.files.remove(id)
    this.#ids.clear()
  }

  async #restoreOne(id: string): Promise<string | null> {
    const { files } = this.#present
    const old = await this.#things.files.find(id)
    if (old?.user_id !== this.#caller.userId || (await files.find(id))) return null
    if (!(await this.#mayUpload())) return this.#countMissing()
    const path = this.#present.snapshots.lendUpload(old.blob_id)
    return path === null ? this.#countMissing() : this.#store(old, path)
  }

  #countMissing(): null {
    this.#missing += 1
    return null
  }

  async #mayUpload(): Promise<boolean> {
    try {
      await this.#present.requirePermitted(this.#caller, endpoints.files.upload)
      return true
    } catch (error) {
      if (error instanceof ServiceError && error.status === 403) return false
      throw error
    }
  }

  async #store(old: OldFile, path: string): Promise<string | null> {
    const { filename, content_type: contentType, metadata, hash, isAsked } = old
    const { files } = this.#present
    try {
      const stored = await files.create(
        this.#caller.userId,
        { filename, contentType, metadata, content: { path } },
        { process: isAsked, background: true },
      )
      if (stored.hash === hash) return stored.id
      // Bytes that were changed on the disk are not the ones the object refers to.
      await files.remove(stored.id)
      return this.#countMissing()
    } finally {
      await rm(path, { force: true })
    }
  }
}

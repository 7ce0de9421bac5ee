import { rmSync } from 'node:fs'
import path from 'node:path'
import { diskFull, notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { askWorker } from '../ask-worker.ts'
import { findSpaceMissing } from '../backups/backups.ts'
import { lendUpload } from './keep-uploads.ts'
import { listSnapshots } from './manifest.ts'
import {
  commitRestore,
  dropRestore,
  listReplaced,
  placesOf,
  readRestoreOutcome,
  type RestoreOutcome,
} from './restore.ts'
import {
  DamagedSnapshotError,
  HOURLY,
  snapshotPlaces,
  type Snapshot,
  type SnapshotSources,
} from './snapshot.ts'
import type { SnapshotWish } from './take-snapshot.ts'
import { createTurns, waitForCompression } from './compress.ts'
import type { SnapshotAnswer, SnapshotTask, SnapshotThread } from './worker-messages.ts'

export { BEFORE_RESTORE, DamagedSnapshotError, MANUAL } from './snapshot.ts'
export type { RestoreOutcome } from './restore.ts'
export type { Snapshot } from './snapshot.ts'

/**
 * Snapshots of the database and the uploads in a store that contains each piece once, created and
 * opened by a thread, one after the other.
 */
export class Snapshots {
  readonly #sources: SnapshotSources
  readonly #ending = new AbortController()
  #last: Promise<unknown> = Promise.resolve()
  /** Time when it was found that nothing had changed. */
  #sameAt = Number.NEGATIVE_INFINITY
  #stored: Promise<number> | undefined

  constructor(database: string, folder = path.dirname(database)) {
    this.#sources = {
      database,
      uploads: path.join(folder, 'uploads'),
      folder: path.join(folder, 'snapshots'),
    }
    rmSync(snapshotPlaces(this.#sources.folder).work, { recursive: true, force: true })
  }

  /** Returns the newest first. */
  list(): Snapshot[] {
    return listSnapshots(this.#sources.folder)
  }

  get(id: string): Snapshot {
    const found = this.list().find((snapshot) => snapshot.id === id)
    if (!found) throw notFound('There is no such snapshot.')
    return found
  }

  /** Returns the bytes used by all of them, beyond the data folder itself. */
  storedBytes(): Promise<number> {
    this.#stored ??= this.#measure()
    return this.#stored
  }

  /** Creates a snapshot of the current state; resolves with its id. */
  async take(label: string, budget: number): Promise<string> {
    this.#requireSpace()
    return (await this.#take(label, budget, false))!
  }

  /** Creates a snapshot from a backup of the database, so that it is not copied and checked twice. */
  async takeOf(backup: string, label: string, budget: number): Promise<string> {
    const wish = { label, budget, onlyIfChanged: false, readyCopy: backup }
    return (await this.#takeAs(wish))!
  }

  /**
   * Creates the regular snapshot if the newest is old enough and something has changed since;
   * otherwise null.
   */
  async takeIfDue(
    { interval, budget }: { interval: number; budget: number },
    now = Date.now(),
  ): Promise<string | null> {
    // What is from the future was created while the clock was wrong.
    const isRecent = (time: number): boolean => time <= now && now - time < interval
    const taken = this.list().filter(({ fault }) => fault === null)
    if ([this.#sameAt, ...taken.map(({ takenAt }) => takenAt.getTime())].some(isRecent)) return null
    const id = await this.#take(HOURLY, budget, true)
    if (id === null) this.#sameAt = now
    return id
  }

  /** Deletes a snapshot, with the pieces that no other one needs. */
  async remove(id: string, budget: number): Promise<void> {
    this.get(id)
    const task: SnapshotTask = { kind: 'remove', sources: this.#sources, id, budget }
    await this.#ask(task).finally(() => (this.#stored = undefined))
  }

  /**
   * Reassembles the database of a snapshot as a file, which the caller removes. Throws a
   * `DamagedSnapshotError`.
   */
  async open(id: string): Promise<string> {
    const { fault, databaseBytes } = this.get(id)
    if (fault !== null) throw new DamagedSnapshotError(fault)
    this.#requireSpace(databaseBytes ?? undefined)
    const target = path.join(snapshotPlaces(this.#sources.folder).work, `${newId()}.db`)
    await this.#ask({ kind: 'open', sources: this.#sources, id, target })
    return target
  }

  /**
   * Returns the bytes of an upload as a file that the caller removes; null if no snapshot has them.
   */
  lendUpload(id: string): string | null {
    const { uploads, work } = snapshotPlaces(this.#sources.folder)
    const target = path.join(work, newId())
    return lendUpload(uploads, id, target) ? target : null
  }

  /**
   * Restores a complete snapshot beside the current state and checks it; resolves with the file of
   * its database and the number of its missing uploads. `commit` makes the next start activate it.
   */
  async prepareRestore(
    id: string,
  ): Promise<{ database: string; missingUploads: number; commit: () => void }> {
    const { fault, databaseBytes } = this.get(id)
    if (fault !== null) throw new DamagedSnapshotError(fault)
    const { folder } = this.#sources
    this.#requireSpace(databaseBytes ?? undefined)
    const answer = await this.#askAny({ kind: 'restore', sources: this.#sources, id })
    const missingUploads = 'missingUploads' in answer ? answer.missingUploads : 0
    return {
      database: placesOf(folder).database,
      missingUploads,
      commit: () => commitRestore(folder, id, missingUploads),
    }
  }

  /** Discards the prepared restore. */
  dropRestore(): void {
    dropRestore(this.#sources.folder)
  }

  /** Returns the result of the last complete restore. */
  lastRestore(): RestoreOutcome | null {
    return readRestoreOutcome(this.#sources.folder)
  }

  /**
   * Creates a snapshot of each replaced database that is not in a snapshot yet, and then removes
   * it. The last writes before a restore are in no other snapshot.
   */
  async keepReplaced(label: string, budget: number): Promise<void> {
    for (const place of listReplaced(this.#sources.folder)) {
      const database = path.join(place, path.basename(this.#sources.database))
      const wish = { label, budget, onlyIfChanged: true }
      await this.#ask({ kind: 'take', sources: { ...this.#sources, database }, wish })
      rmSync(place, { recursive: true, force: true })
      this.#stored = undefined
    }
  }

  /** Cancels the current task; its incomplete files are removed at the next start. */
  async close(): Promise<void> {
    this.#ending.abort()
    await this.#last
  }

  #take(label: string, budget: number, onlyIfChanged: boolean): Promise<string | null> {
    return this.#takeAs({ label, budget, onlyIfChanged })
  }

  #takeAs(wish: SnapshotWish): Promise<string | null> {
    const taken = this.#ask({ kind: 'take', sources: this.#sources, wish })
    return taken.finally(() => (this.#stored = undefined))
  }

  /** Runs in a thread, because there are many pieces to read. */
  async #measure(): Promise<number> {
    const task: SnapshotTask = { kind: 'measure', sources: this.#sources }
    const answer = await this.#work(task)
    return 'bytes' in answer ? answer.bytes : 0
  }

  /** By default for the current state. */
  #requireSpace(bytes?: number): void {
    const missing = findSpaceMissing(this.#sources.database, bytes)
    if (missing > 0)
      throw diskFull(
        `There is no space for a snapshot. Free ${missing} MB on the disk of the data folder.`,
      )
  }

  async #ask(task: SnapshotTask): Promise<string | null> {
    const answer = await this.#askAny(task)
    return 'id' in answer ? answer.id : null
  }

  #work(task: SnapshotTask): Promise<SnapshotAnswer> {
    const turns = createTurns()
    const data: SnapshotThread = { task, turns }
    return askWorker(import.meta.dirname, 'snapshot-worker', data, {
      signal: this.#ending.signal,
      beforeEnd: () => waitForCompression(turns),
    })
  }

  async #askAny(task: SnapshotTask): Promise<SnapshotAnswer> {
    const answer = this.#last.then(() => this.#work(task))
    this.#last = answer.catch(() => undefined)
    const given = await answer
    if ('damage' in given) throw new DamagedSnapshotError(given.damage)
    return given
  }
}

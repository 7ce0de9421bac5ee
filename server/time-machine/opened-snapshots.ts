import { rm } from 'node:fs/promises'
import { conflict } from '../lib/errors.ts'
import { openStorage, type Storage } from '../storage/index.ts'
import { DamagedSnapshotError, type Snapshots } from '../storage/snapshots/index.ts'
import { StoredThings } from './stored-things.ts'

/** How long a snapshot stays open after somebody looked at it. */
const KEPT_MILLISECONDS = 300_000
/** Each is a copy as large as the database. */
const MOST_OPEN = 2

interface Opened {
  readonly things: Promise<{ storage: Storage; things: StoredThings }>
  users: number
  usedAt: number
}

type People = Omit<ConstructorParameters<typeof StoredThings>[0], 'storage'>

/** Snapshots that are being looked at; each is put together once and put away a while later. */
export class OpenedSnapshots {
  readonly #snapshots: Snapshots
  readonly #people: People
  readonly #opened = new Map<string, Opened>()
  readonly #timer: NodeJS.Timeout

  constructor(snapshots: Snapshots, people: People) {
    this.#snapshots = snapshots
    this.#people = people
    this.#timer = setInterval(
      () => void this.#putAway(Date.now() - KEPT_MILLISECONDS),
      KEPT_MILLISECONDS / 5,
    ).unref()
  }

  /** Does something with an opened snapshot, which stays open that long. */
  async use<Result>(id: string, work: (things: StoredThings) => Promise<Result>): Promise<Result> {
    const opened = await this.#find(id)
    opened.users += 1
    try {
      const { things } = await opened.things
      return await work(things)
    } catch (error) {
      if (error instanceof DamagedSnapshotError)
        throw conflict(error.message, { code: 'snapshot_damaged' })
      throw error
    } finally {
      opened.users -= 1
      opened.usedAt = Date.now()
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#putAway(Number.POSITIVE_INFINITY)
  }

  async #find(id: string): Promise<Opened> {
    this.#snapshots.get(id)
    const known = this.#opened.get(id)
    if (known) return known
    const idle = [...this.#opened.values()].filter(({ users }) => users === 0)
    if (this.#opened.size >= MOST_OPEN) {
      if (idle.length === 0)
        throw conflict('Other snapshots are being looked at. Try again in a minute.', {
          code: 'snapshots_busy',
        })
      const oldest = Math.min(...idle.map(({ usedAt }) => usedAt))
      void this.#putAway(oldest)
    }
    const opened: Opened = { things: this.#open(id), users: 0, usedAt: Date.now() }
    this.#opened.set(id, opened)
    opened.things.catch(() => this.#opened.delete(id))
    return opened
  }

  async #open(id: string): Promise<{ storage: Storage; things: StoredThings }> {
    const storage = openStorage({ path: await this.#snapshots.open(id) })
    return { storage, things: new StoredThings({ ...this.#people, storage }) }
  }

  /** Closes those nobody uses and nobody used since. */
  async #putAway(since: number): Promise<void> {
    for (const [id, opened] of this.#opened) {
      if (opened.users > 0 || opened.usedAt > since) continue
      this.#opened.delete(id)
      const { storage } = await opened.things
      const file = storage.sqlite.name
      storage.close()
      for (const each of [file, `${file}-wal`, `${file}-shm`]) await rm(each, { force: true })
    }
  }
}

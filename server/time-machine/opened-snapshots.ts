import { rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { conflict } from '../lib/errors.ts'
import type { Logger } from '../lib/logger.ts'
import { openStorage, type Storage } from '../storage/index.ts'
import { DamagedSnapshotError, type Snapshots } from '../storage/snapshots/index.ts'
import { StoredThings } from './stored-things.ts'

/** Time for which a snapshot stays open after its last use. */
const KEPT_MILLISECONDS = 300_000
/** Each open snapshot is a copy as large as the database. */
const MOST_OPEN = 2
/** Time after which a response that is still being sent may be ended for the sake of others. */
const LOAN_MILLISECONDS = 60_000

/**
 * Maximum number of snapshots one user may have assembled in a minute: each assembly writes a copy
 * of the whole database, and a user who changes between more than are kept open causes one each
 * time.
 */
const MOST_ASSEMBLED = 8
const MINUTE = 60_000

interface Opened {
  readonly id: string
  readonly things: Promise<{ storage: Storage; things: StoredThings }>
  users: number
  usedAt: number
  /** Start times of the responses that are still being sent from it. */
  readonly loans: Map<ServerResponse, number>
}

type People = Omit<ConstructorParameters<typeof StoredThings>[0], 'storage'> & {
  readonly log: Logger
}

/** Opened snapshots; each is assembled once and closed some time after its last use. */
export class OpenedSnapshots {
  readonly #snapshots: Snapshots
  readonly #people: People
  readonly #opened = new Map<string, Opened>()
  /** Times of the recent assemblies by user. */
  readonly #assembled = new Map<string, number[]>()
  readonly #timer: NodeJS.Timeout

  constructor(snapshots: Snapshots, people: People) {
    this.#snapshots = snapshots
    this.#people = people
    this.#timer = setInterval(() => this.#tidy(), KEPT_MILLISECONDS / 5).unref()
  }

  /** Runs an operation on an opened snapshot, which stays open meanwhile. */
  use<Result>(
    userId: string,
    id: string,
    work: (things: StoredThings) => Promise<Result>,
  ): Promise<Result> {
    return this.#use(userId, id, work)
  }

  async #use<Result>(
    userId: string,
    id: string,
    work: (things: StoredThings, opened: Opened) => Promise<Result>,
  ): Promise<Result> {
    const opened = this.#find(userId, id)
    opened.users += 1
    try {
      const { things } = await opened.things
      return await work(things, opened)
    } catch (error) {
      if (error instanceof DamagedSnapshotError)
        throw conflict(error.message, { code: 'snapshot_damaged' })
      throw error
    } finally {
      opened.users -= 1
      opened.usedAt = Date.now()
    }
  }

  /** Same as `use`, for results that are still read while they are sent. */
  lend<Result>(
    userId: string,
    id: string,
    response: ServerResponse,
    read: (things: StoredThings) => Promise<Result>,
  ): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    this.#use(userId, id, async (things, { loans }) => {
      const sent = new Promise((close) => response.once('close', close))
      loans.set(response, Date.now())
      try {
        resolve(await read(things))
        if (!response.closed) await sent
      } finally {
        loans.delete(response)
      }
    }).catch(reject)
    return promise
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#putAway([...this.#opened.values()])
  }

  #find(userId: string, id: string): Opened {
    this.#snapshots.get(id)
    const known = this.#opened.get(id)
    if (known) return known
    this.#requireFewAssemblies(userId)
    if (this.#opened.size >= MOST_OPEN) {
      const [oldest] = this.#idleSince(Number.POSITIVE_INFINITY).toSorted(
        (one, other) => one.usedAt - other.usedAt,
      )
      if (!oldest) {
        this.#endLongLoans()
        throw conflict('Other snapshots are being looked at. Try again in a minute.', {
          code: 'snapshots_busy',
        })
      }
      void this.#putAway([oldest])
    }
    const opened: Opened = {
      id,
      things: this.#open(id),
      users: 0,
      usedAt: Date.now(),
      loans: new Map(),
    }
    this.#opened.set(id, opened)
    this.#assembled.get(userId)!.push(opened.usedAt)
    opened.things.catch(() => this.#forget(opened))
    return opened
  }

  #requireFewAssemblies(userId: string): void {
    const since = Date.now() - MINUTE
    const recent = (this.#assembled.get(userId) ?? []).filter((time) => time > since)
    this.#assembled.set(userId, recent)
    if (recent.length >= MOST_ASSEMBLED)
      throw conflict('You have opened many snapshots in a short time. Try again in a minute.', {
        code: 'snapshots_busy',
      })
  }

  #tidy(): void {
    const since = Date.now() - MINUTE
    for (const [userId, times] of this.#assembled)
      if (!times.some((time) => time > since)) this.#assembled.delete(userId)
    void this.#putAway(this.#idleSince(Date.now() - KEPT_MILLISECONDS))
  }

  /** Ends the responses of one snapshot if all its users are readers that take too long. */
  #endLongLoans(): void {
    const end = Date.now() - LOAN_MILLISECONDS
    const held = [...this.#opened.values()].find(
      ({ users, loans }) =>
        loans.size === users && [...loans.values()].every((since) => since <= end),
    )
    for (const response of held?.loans.keys() ?? []) response.destroy()
  }

  async #open(id: string): Promise<{ storage: Storage; things: StoredThings }> {
    const storage = openStorage({ path: await this.#snapshots.open(id) })
    return { storage, things: new StoredThings({ ...this.#people, storage }) }
  }

  #idleSince(time: number): Opened[] {
    return [...this.#opened.values()].filter(({ users, usedAt }) => users === 0 && usedAt <= time)
  }

  /** Another copy of the same snapshot may be open by now. */
  #forget(opened: Opened): void {
    if (this.#opened.get(opened.id) === opened) this.#opened.delete(opened.id)
  }

  /** Closes them; errors are logged, because no caller waits for the result. */
  async #putAway(idle: readonly Opened[]): Promise<void> {
    for (const opened of idle) this.#forget(opened)
    for (const { id, things } of idle) {
      try {
        const { storage } = await things
        const file = storage.sqlite.name
        storage.close()
        for (const each of [file, `${file}-wal`, `${file}-shm`]) await rm(each, { force: true })
      } catch (error) {
        // The caller that opened it was already notified if it could not be assembled.
        if (!(error instanceof DamagedSnapshotError))
          this.#people.log.warn({ snapshot: id, error }, 'a snapshot could not be closed')
      }
    }
  }
}

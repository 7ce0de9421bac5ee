import path from 'node:path'
import type {
  BroughtBack,
  RestoreProgress,
  SnapshotContents,
  SnapshotKind,
} from '#contract/time-machine.ts'
import type { Chat } from '#contract/chats.ts'
import type { Access } from '../access/index.ts'
import type { Config } from '../config/config.ts'
import { countPeriodicRun } from '../lib/tally.ts'
import type { Caller } from '../lib/http.ts'
import type { Logger } from '../lib/logger.ts'
import type { Settings } from '../settings/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Secrets } from '../storage/secrets/secrets.ts'
import { BEFORE_RESTORE, Snapshots } from '../storage/snapshots/index.ts'
import type { RestoreOutcome, Snapshot } from '../storage/snapshots/index.ts'
import type { Users } from '../users/index.ts'
import { bringBack, type Present } from './bring-back.ts'
import { OpenedSnapshots } from './opened-snapshots.ts'
import { FullRestore } from './full-restore.ts'
import { compareThings, StoredThings } from './stored-things.ts'

/** Placeholder for a missing database file; nothing is stored of it then. */
const NO_DATABASE = 'none.db'
const MEGABYTE = 1_000_000
const MINUTE = 60_000

interface TimeMachineDependencies extends Present {
  readonly config: Pick<Config, 'dataDir' | 'objectStore'>
  readonly storage: Storage
  readonly secrets: Secrets
  readonly access: Access
  readonly users: Users
  readonly settings: Settings<
    'ENABLE_TIME_MACHINE' | 'TIME_MACHINE_INTERVAL' | 'TIME_MACHINE_BUDGET'
  >
  readonly log: Logger
}

/**
 * Earlier states of the data folder: created periodically, viewed, and restored object by object by
 * their owners.
 */
export class TimeMachine {
  readonly #dependencies: TimeMachineDependencies
  readonly #snapshots: Snapshots
  /** Snapshots that are open for reading. */
  readonly opened: OpenedSnapshots
  readonly #present: StoredThings
  /** Restores everything from a snapshot. */
  readonly restoreAll: FullRestore
  #timer: NodeJS.Timeout | undefined
  #isTaking = false
  #isClosed = false
  #keeping: Promise<void> = Promise.resolve()

  constructor(dependencies: TimeMachineDependencies) {
    this.#dependencies = dependencies
    const { config, storage } = dependencies
    const database =
      storage.engine === 'sqlite' ? storage.sqlite.name : path.join(config.dataDir, NO_DATABASE)
    this.#snapshots = new Snapshots(database, config.dataDir)
    this.opened = new OpenedSnapshots(this.#snapshots, dependencies)
    this.#present = new StoredThings(dependencies)
    const { secrets, log } = dependencies
    const budget = (): number => this.#budget()
    this.restoreAll = new FullRestore({ snapshots: this.#snapshots, secrets, log, budget })
  }

  /** Checks every minute whether a snapshot is due; `restart` is used for restoring everything. */
  start(restart: (() => void) | null): void {
    if (this.#dependencies.storage.engine !== 'sqlite') return
    this.restoreAll.restart = restart
    this.#keeping = this.#keepReplaced()
    this.#timer = setInterval(() => void this.#takeIfDue(), MINUTE).unref()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#isClosed = true
    await this.#snapshots.close()
    await Promise.all([this.#keeping, this.restoreAll.settled()])
    await this.opened.close()
  }

  list(): Snapshot[] {
    return this.#snapshots.list()
  }

  describe(): { on: boolean; interval: number; budget: number; keepsFiles: boolean } {
    const { settings, config } = this.#dependencies
    return {
      on: settings.get('ENABLE_TIME_MACHINE'),
      interval: settings.get('TIME_MACHINE_INTERVAL'),
      budget: this.#budget(),
      keepsFiles: config.objectStore === null,
    }
  }

  storedBytes(): Promise<number> {
    return this.#snapshots.storedBytes()
  }

  /** Creates a snapshot now. */
  async take(label: string): Promise<Snapshot> {
    return this.#snapshots.get(await this.#snapshots.take(label, this.#budget()))
  }

  /** Deletes a snapshot for everybody. */
  async remove(id: string): Promise<void> {
    await this.#snapshots.remove(id, this.#budget())
  }

  /** Creates a snapshot from a backup that was just made before an operation such as an update. */
  async takeOf(backup: string, label: string): Promise<void> {
    if (!this.#dependencies.settings.get('ENABLE_TIME_MACHINE')) return
    await this.#snapshots.takeOf(backup, label, this.#budget())
  }

  /** Returns the caller's objects in a snapshot, compared with their current state. */
  contents(caller: Caller, id: string): Promise<SnapshotContents> {
    return this.opened.use(caller.userId, id, async (things) =>
      compareThings(await things.list(caller), await this.#present.list(caller)),
    )
  }

  chat(caller: Caller, id: string, chatId: string): Promise<Chat> {
    return this.opened.use(caller.userId, id, (things) => things.chats.read(caller.userId, chatId))
  }

  bringBack(
    caller: Caller,
    id: string,
    wanted: { kind: SnapshotKind; id: string },
  ): Promise<BroughtBack> {
    const present = this.#dependencies
    return this.opened.use(caller.userId, id, (things) =>
      bringBack({ ...wanted, things, present, caller, snapshots: this.#snapshots }),
    )
  }

  /** Progress of restoring everything, and the outcome of the last time. */
  get restoring(): { progress: RestoreProgress | null; last: RestoreOutcome | null } {
    return { progress: this.restoreAll.progress, last: this.#snapshots.lastRestore() }
  }

  #budget(): number {
    return this.#dependencies.settings.get('TIME_MACHINE_BUDGET') * MEGABYTE
  }

  /** Stores the changes made between the snapshot before a restore and the restart. */
  async #keepReplaced(): Promise<void> {
    try {
      await this.#snapshots.keepReplaced(BEFORE_RESTORE, this.#budget())
    } catch (error) {
      // The next start tries again.
      if (!this.#isClosed)
        this.#dependencies.log.error({ error }, 'the replaced database could not be kept; it stays')
    }
  }

  async #takeIfDue(): Promise<void> {
    const { settings, log } = this.#dependencies
    // Not requested again while one takes longer than a minute.
    if (this.#isTaking || !settings.get('ENABLE_TIME_MACHINE')) return
    this.#isTaking = true
    const interval = settings.get('TIME_MACHINE_INTERVAL') * MINUTE
    try {
      const id = await this.#snapshots.takeIfDue({ interval, budget: this.#budget() })
      countPeriodicRun('snapshots')
      if (id !== null) log.info({ snapshot: id }, 'snapshot made')
    } catch (error) {
      if (!this.#isClosed) log.error({ error }, 'the snapshot could not be made')
    } finally {
      this.#isTaking = false
    }
  }
}

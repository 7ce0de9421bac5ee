import type { RestoreProgress } from '#contract/time-machine.ts'
import { conflict, ServiceError } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import type { Logger } from '../lib/logger.ts'
import { checkRootSecret } from '../storage/secrets/check-root-secret.ts'
import { openStorage } from '../storage/index.ts'
import type { Secrets } from '../storage/secrets/secrets.ts'
import { BEFORE_RESTORE, DamagedSnapshotError, type Snapshots } from '../storage/snapshots/index.ts'
import { Users } from '../users/index.ts'

interface FullRestoreDependencies {
  readonly snapshots: Snapshots
  readonly secrets: Secrets
  readonly log: Logger
  /** Maximum total size of all snapshots in bytes. */
  readonly budget: () => number
}

/** Restores everything from a snapshot, one restore at a time; it ends with a restart. */
export class FullRestore {
  readonly #dependencies: FullRestoreDependencies
  #progress: RestoreProgress | null = null
  #isRunning = false
  #run: Promise<void> = Promise.resolve()
  /** Null if the gateway cannot restart itself. */
  restart: (() => void) | null = null

  constructor(dependencies: FullRestoreDependencies) {
    this.#dependencies = dependencies
  }

  /** Progress or failure of a restore; null if none was requested since the start. */
  get progress(): RestoreProgress | null {
    return this.#progress
  }

  /**
   * Starts restoring everything from a snapshot: checks it, saves the current state in another one,
   * and restarts the gateway with it.
   */
  begin(caller: Caller, id: string): RestoreProgress {
    if (this.#isRunning)
      throw conflict('Everything is being brought back already. Wait until that is done.', {
        code: 'restore_running',
      })
    const { fault } = this.#dependencies.snapshots.get(id)
    if (fault !== null) throw conflict(fault, { code: 'snapshot_damaged' })
    this.#isRunning = true
    const progress = this.#note(id, 'checking')
    this.#run = this.#bringBack(caller, id)
    return progress
  }

  /** Resolves when no restore is running; the snapshots end a running one. */
  settled(): Promise<void> {
    return this.#run
  }

  #note(id: string, step: RestoreProgress['step'], problem: string | null = null): RestoreProgress {
    this.#progress = { snapshot_id: id, step, problem }
    return this.#progress
  }

  async #bringBack(caller: Caller, id: string): Promise<void> {
    const { snapshots, log, budget } = this.#dependencies
    try {
      const prepared = await snapshots.prepareRestore(id)
      await this.#check(caller, prepared.database)
      this.#note(id, 'keeping')
      await snapshots.take(BEFORE_RESTORE, budget())
      prepared.commit()
      log.warn({ snapshot: id, by: caller.userId }, 'everything is being restored from a snapshot')
      this.#note(id, this.restart ? 'restarting' : 'waiting')
      this.restart?.()
    } catch (error) {
      snapshots.dropRestore()
      this.#isRunning = false
      const isForPeople = error instanceof DamagedSnapshotError || error instanceof ServiceError
      if (!isForPeople) log.error({ error, snapshot: id }, 'everything could not be restored')
      this.#note(
        id,
        'failed',
        isForPeople
          ? error.message
          : 'This did not work; the log has the details. Everything is as it was.',
      )
    }
  }

  /** Checks that the gateway can start from it and that its administrator can sign in. */
  async #check(caller: Caller, database: string): Promise<void> {
    const { secrets, log } = this.#dependencies
    const storage = openStorage({ path: database })
    try {
      if ((await checkRootSecret(storage, secrets)) === 'different')
        throw conflict(
          'This snapshot was made under another secret key, so its stored keys could not be read. Everything is as it was.',
          { code: 'snapshot_other_secret' },
        )
      const account = await new Users({ storage, log }).get(caller.userId)
      if (account?.role !== 'admin')
        throw conflict(
          'You were no administrator when this snapshot was made, and would be none afterwards. Bring single things back instead.',
          { code: 'snapshot_without_caller' },
        )
    } finally {
      storage.close()
    }
  }
}

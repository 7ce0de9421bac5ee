import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { unavailable, type ServiceError } from '../../lib/errors.ts'
import { TakingTurns } from '../sqlite/taking-turns.ts'
import { isConnectionLost } from './explain-failure.ts'
import type { GatewayLock } from './gateway-lock.ts'
import { findOpenUnit, runInSavepoint, UnitOfWork } from '../unit-of-work.ts'

/**
 * Codes of conflicts with another transaction, in which this one was rolled back: it may be
 * retried.
 */
const CONFLICTS = new Set(['40001', '40P01'])
/** Id of the lock for retried transactions, among all locks of the database. */
const SECOND_TRIES = 0x43475754
const LONGEST_TRYING_MILLISECONDS = 10_000
const LONGEST_PAUSE_MILLISECONDS = 200

const RETRY_SECONDS = '5'

const databaseAway = (cause?: unknown): ServiceError =>
  unavailable('The database does not answer. Try again in a moment.', {
    code: 'database_unavailable',
    headers: { 'Retry-After': RETRY_SECONDS },
    cause,
  })

/** A lost connection is not the caller's fault. */
const toServiceError = (error: unknown): unknown =>
  isConnectionLost(error) ? databaseAway(error) : error

const isConflict = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && CONFLICTS.has(String(error.code))

/** Source of connections. */
export type Connections = Pick<
  Pool,
  'query' | 'connect' | 'end' | 'totalCount' | 'idleCount' | 'waitingCount'
>

/** A current transaction on its connection. */
interface OpenTransaction {
  readonly client: PoolClient
  /** Reason why its connection is unusable. */
  lost: Error | undefined
  /** True if another transaction interfered; nothing of this one can be committed. */
  isInConflict: boolean
}

/** Context in which the work of a transaction runs. */
interface Place {
  readonly transaction: OpenTransaction
  readonly unit: UnitOfWork
}

/** Increasing pauses, randomised so that two transactions do not retry together. */
const pauseBefore = (attempt: number): Promise<void> =>
  sleep(Math.random() * Math.min(LONGEST_PAUSE_MILLISECONDS, 5 * 2 ** attempt))

/** Retries work after conflicts, because nothing of it was committed. */
async function tryAgain<Result>(work: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + LONGEST_TRYING_MILLISECONDS
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isConflict(error) || performance.now() > deadline) throw error
      await pauseBefore(attempt)
    }
  }
}

/**
 * Transactions on connections of a pool. All are serializable, including single statements, so that
 * each behaves as if it ran alone; if that is impossible, one of them is rolled back and retried
 * from its start. If the connection is lost during a commit it is not retried: its result is
 * unknown.
 */
export class PostgresTransactions {
  readonly #pool: Connections
  readonly #isStrict: boolean
  readonly #lock: GatewayLock | null
  readonly #secondTries = new TakingTurns()
  readonly #places = new AsyncLocalStorage<Place>()

  constructor(
    pool: Connections,
    { isStrict, lock }: { isStrict: boolean; lock: GatewayLock | null },
  ) {
    this.#pool = pool
    this.#isStrict = isStrict
    this.#lock = lock
  }

  /** Returns the unit a call belongs to. */
  current(): UnitOfWork | undefined {
    return findOpenUnit(this.#places.getStore()?.unit, this.#isStrict)
  }

  /** Runs a statement in its transaction, else separately. */
  async execute<Result>(use: (client: Pick<Pool, 'query'>) => Promise<Result>): Promise<Result> {
    const unit = this.current()
    if (!unit) return this.#alone(() => use(this.#pool))
    if (unit.inner.isTaken) await unit.afterInner()
    const { transaction } = this.#places.getStore()!
    try {
      return await use(transaction.client)
    } catch (error) {
      transaction.isInConflict ||= isConflict(error)
      if (isConnectionLost(error)) transaction.lost ??= error as Error
      throw toServiceError(error)
    }
  }

  /** Runs a single statement, or a transaction from its start to its commit. */
  async #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#lock?.isTakenByOther) throw databaseAway()
    try {
      return await tryAgain(work)
    } catch (error) {
      throw toServiceError(error)
    }
  }

  /** Runs `work` in a transaction, or in a savepoint of the one it is called in. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const outer = this.current()
    if (outer) return this.#runInside({ ...this.#places.getStore()!, unit: outer }, work)
    const { unit, result } = await this.#alone(() => this.#runAlone(work))
    if (unit.following) await unit.following
    return result
  }

  async #runAlone<Result>(
    work: () => Promise<Result>,
  ): Promise<{ unit: UnitOfWork; result: Result }> {
    try {
      return await this.#runOnce(work, false)
    } catch (error) {
      if (!isConflict(error)) throw error
    }
    return this.#runInTurn(work)
  }

  /**
   * Runs conflicting transactions one after the other: in this process without a connection while
   * they wait, and between gateways by a lock.
   */
  async #runInTurn<Result>(
    work: () => Promise<Result>,
  ): Promise<{ unit: UnitOfWork; result: Result }> {
    const turn = this.#secondTries.take()
    if (turn) await turn
    try {
      return await tryAgain(() => this.#runOnce(work, true))
    } finally {
      this.#secondTries.leave()
    }
  }

  async #runOnce<Result>(
    work: () => Promise<Result>,
    inTurn: boolean,
  ): Promise<{ unit: UnitOfWork; result: Result }> {
    const client = await this.#pool.connect()
    const transaction: OpenTransaction = { client, lost: undefined, isInConflict: false }
    const onError = (error: Error): void => void (transaction.lost ??= error)
    client.on('error', onError)
    try {
      // Taken before `begin`, because the changes of others until then must be visible.
      if (inTurn) await client.query('select pg_advisory_lock($1)', [SECOND_TRIES])
      return await this.#commit(transaction, work)
    } finally {
      if (inTurn && !transaction.lost)
        await client.query('select pg_advisory_unlock($1)', [SECOND_TRIES]).catch(onError)
      client.off('error', onError)
      client.release(transaction.lost)
    }
  }

  async #commit<Result>(
    transaction: OpenTransaction,
    work: () => Promise<Result>,
  ): Promise<{ unit: UnitOfWork; result: Result }> {
    const { client } = transaction
    const unit = new UnitOfWork(null)
    let result: Result
    try {
      await client.query('begin')
      result = await this.#places.run({ transaction, unit }, work)
      unit.complete()
      // The work may have continued after a failed statement; nothing of it would be kept.
      if (transaction.isInConflict) throw new ConflictError()
      await client.query('commit')
    } catch (error) {
      unit.end()
      if (isConnectionLost(error)) transaction.lost ??= error as Error
      // A lost connection would not respond; PostgreSQL rolls back by itself.
      if (!transaction.lost)
        await client.query('rollback').catch((failure: Error) => (transaction.lost ??= failure))
      throw transaction.isInConflict && !isConflict(error) ? new ConflictError() : error
    }
    unit.committed()
    return { unit, result }
  }

  #runInside<Result>(
    { transaction, unit: outer }: Place,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const { client } = transaction
    return runInSavepoint(outer, {
      work: (unit) => this.#places.run({ transaction, unit }, work),
      command: (sql) => client.query(sql),
      undo: async (name) => {
        if (!transaction.lost) await client.query(`rollback to ${name}`).catch(() => undefined)
      },
    })
  }
}

/** A conflict that the work of a transaction did not propagate. */
class ConflictError extends Error {
  override readonly name = 'ConflictError'
  readonly code = '40001'

  constructor() {
    super('Another transaction came in between.')
  }
}

import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { unavailable, type ServiceError } from '../../lib/errors.ts'
import { TakingTurns } from '../taking-turns.ts'
import { isConnectionLost } from './explain-failure.ts'
import type { GatewayLock } from './gateway-lock.ts'
import { findOpenUnit, TransactionOverError, UnitOfWork } from '../unit-of-work.ts'

/** Somebody else's transaction was in the way, and this one was undone: it may be tried again. */
const CONFLICTS = new Set(['40001', '40P01'])
/** Names the lock of those that are tried again, among all locks of the database. */
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

/** A lost connection is not the fault of who asked. */
const toServiceError = (error: unknown): unknown =>
  isConnectionLost(error) ? databaseAway(error) : error

const isConflict = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && CONFLICTS.has(String(error.code))

/** Where connections come from. */
export type Connections = Pick<
  Pool,
  'query' | 'connect' | 'end' | 'totalCount' | 'idleCount' | 'waitingCount'
>

/** A transaction under way on its connection. */
interface OpenTransaction {
  readonly client: PoolClient
  /** Why its connection is of no use any more. */
  lost: Error | undefined
  /** Another transaction came in between; nothing of this one can be committed. */
  isInConflict: boolean
}

/** What the work of a transaction runs in. */
interface Place {
  readonly transaction: OpenTransaction
  readonly unit: UnitOfWork
}

/** Longer and longer pauses, of no length that two would have in common. */
const pauseBefore = (attempt: number): Promise<void> =>
  sleep(Math.random() * Math.min(LONGEST_PAUSE_MILLISECONDS, 5 * 2 ** attempt))

/** Tries again what others came in between, as nothing of it was done. */
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
 * Transactions on connections of a pool. All are serializable, statements by themselves too, so that
 * each sees and leaves what it would alone; where that cannot be, one of them is undone and tried
 * again from its begin. What was lost on the way of a commit is not tried again: nobody knows
 * whether it was done.
 */
export class PostgresTransactions {
  readonly #pool: Connections
  readonly #isStrict: boolean
  readonly #lock: Pick<GatewayLock, 'isTakenByOther'> | null
  readonly #secondTries = new TakingTurns()
  readonly #places = new AsyncLocalStorage<Place>()

  constructor(
    pool: Connections,
    { isStrict, lock }: { isStrict: boolean; lock: Pick<GatewayLock, 'isTakenByOther'> | null },
  ) {
    this.#pool = pool
    this.#isStrict = isStrict
    this.#lock = lock
  }

  /** The unit a call belongs to. */
  current(): UnitOfWork | undefined {
    return findOpenUnit(this.#places.getStore()?.unit, this.#isStrict)
  }

  /** Runs a statement where it belongs. */
  async execute<Result>(use: (client: Pick<Pool, 'query'>) => Promise<Result>): Promise<Result> {
    const unit = this.current()
    if (!unit) return this.#alone(() => use(this.#pool))
    if (unit.inner.isTaken) {
      await unit.inner.take()
      unit.inner.leave()
      if (unit.isOver) throw new TransactionOverError()
    }
    const { transaction } = this.#places.getStore()!
    try {
      return await use(transaction.client)
    } catch (error) {
      transaction.isInConflict ||= isConflict(error)
      if (isConnectionLost(error)) transaction.lost ??= error as Error
      throw toServiceError(error)
    }
  }

  /** What is done by itself, or from its begin to its commit. */
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
   * Those that were in each other's way go one after the other: here without a connection while
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
      // Before the begin, as what others did until then has to be seen.
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
      unit.end()
      if (unit.inner.isTaken) throw new TransactionOverError()
      // The work may have gone on over the failure of a statement; nothing of it would be kept.
      if (transaction.isInConflict) throw new ConflictError()
      await client.query('commit')
    } catch (error) {
      unit.end()
      if (isConnectionLost(error)) transaction.lost ??= error as Error
      // On a connection that is lost nobody would answer; PostgreSQL rolls back by itself.
      if (!transaction.lost)
        await client.query('rollback').catch((failure: Error) => (transaction.lost ??= failure))
      throw transaction.isInConflict && !isConflict(error) ? new ConflictError() : error
    }
    unit.committed()
    return { unit, result }
  }

  async #runInside<Result>(
    { transaction, unit: outer }: Place,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const turn = outer.inner.take()
    if (turn) await turn
    const unit = new UnitOfWork(outer)
    const name = `s${unit.depth}`
    const { client } = transaction
    try {
      if (outer.isOver) throw new TransactionOverError()
      await client.query(`savepoint ${name}`)
      try {
        const result = await this.#places.run({ transaction, unit }, work)
        unit.end()
        if (unit.inner.isTaken || outer.isOver) throw new TransactionOverError()
        await client.query(`release ${name}`)
        unit.handOver(outer)
        return result
      } catch (error) {
        unit.end()
        if (!outer.isOver && !transaction.lost)
          await client.query(`rollback to ${name}`).catch(() => undefined)
        throw error
      }
    } finally {
      outer.inner.leave()
    }
  }
}

/** A conflict that the work of a transaction did not pass on. */
class ConflictError extends Error {
  override readonly name = 'ConflictError'
  readonly code = '40001'

  constructor() {
    super('Another transaction came in between.')
  }
}

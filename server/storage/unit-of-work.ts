import { settleAll } from '../lib/timing/settle-all.ts'
import { TakingTurns } from './sqlite/taking-turns.ts'

/** A statement or transaction was called by work that its transaction did not await. */
export class TransactionOverError extends Error {
  override readonly name = 'TransactionOverError'

  constructor() {
    super('The transaction this belongs to is over; something in it was not awaited.')
  }
}

/** Work to run when the writes can no longer be rolled back. */
export type AfterCommit = () => unknown

function attempt(work: AfterCommit): unknown {
  try {
    return work()
  } catch (error) {
    return Promise.reject(error as Error)
  }
}

/** A current transaction, or a savepoint inside one. */
export class UnitOfWork {
  /** Null for a transaction. */
  readonly outer: UnitOfWork | null
  /** Savepoints directly inside it, one after the other. */
  readonly inner = new TakingTurns()
  #isOver = false
  #afterCommit: AfterCommit[] = []
  #following: Promise<void> | null = null

  constructor(outer: UnitOfWork | null) {
    this.outer = outer
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Settles when the work after the commit is done; null if none of it is asynchronous. */
  get following(): Promise<void> | null {
    return this.#following
  }

  /** True if it is still running although its outer unit has ended. */
  get isCutOff(): boolean {
    return !this.#isOver && this.outer !== null && (this.outer.isOver || this.outer.isCutOff)
  }

  /** Number of enclosing savepoints. */
  get depth(): number {
    return this.outer === null ? 0 : this.outer.depth + 1
  }

  /** Ends the unit: no further statement takes part. */
  end(): void {
    this.#isOver = true
  }

  /** Ends the unit before its writes are kept; throws if work in it was not awaited. */
  complete(): void {
    this.end()
    if (this.inner.isTaken || this.outer?.isOver) throw new TransactionOverError()
  }

  /** Waits for the savepoints inside; throws if the unit has ended by then. */
  async afterInner(): Promise<void> {
    await this.inner.take()
    this.inner.leave()
    if (this.#isOver) throw new TransactionOverError()
  }

  /** Runs `work` when the writes can no longer be rolled back. */
  afterCommit(work: AfterCommit): void {
    this.#afterCommit.push(work)
  }

  /** Moves the work after the commit to the outer unit. */
  handOver(outer: UnitOfWork): void {
    for (const work of this.#afterCommit) outer.afterCommit(work)
    this.#afterCommit = []
  }

  /** Starts the work after the commit, all of it even if a part fails. */
  committed(): void {
    const begun: Promise<unknown>[] = []
    for (const work of this.#afterCommit) {
      const result = attempt(work)
      if (result instanceof Promise) begun.push(result)
    }
    if (begun.length > 0) this.#following = settleAll(begun)
  }
}

/** How an engine executes a savepoint. */
export interface SavepointSteps<Result> {
  /** Runs the work of the savepoint, whose statements belong to `unit`. */
  readonly work: (unit: UnitOfWork) => Promise<Result>
  readonly command: (sql: string) => unknown
  /** Undoes what was written since the savepoint, if its transaction still exists. */
  readonly undo: (name: string) => unknown
}

/** Runs work in a savepoint of a unit, after the other savepoints that were started in it. */
export async function runInSavepoint<Result>(
  outer: UnitOfWork,
  { work, command, undo }: SavepointSteps<Result>,
): Promise<Result> {
  const turn = outer.inner.take()
  if (turn) await turn
  const unit = new UnitOfWork(outer)
  const name = `s${unit.depth}`
  try {
    if (outer.isOver) throw new TransactionOverError()
    await command(`savepoint ${name}`)
    try {
      const result = await work(unit)
      unit.complete()
      await command(`release ${name}`)
      unit.handOver(outer)
      return result
    } catch (error) {
      unit.end()
      if (!outer.isOver) await undo(name)
      throw error
    }
  } finally {
    outer.inner.leave()
  }
}

/**
 * Returns the unit of a call from within `unit`; undefined if all units have ended, or throws with
 * `isStrict`.
 */
export function findOpenUnit(
  unit: UnitOfWork | undefined,
  isStrict: boolean,
): UnitOfWork | undefined {
  // The enclosing unit was rolled back.
  if (unit?.isCutOff) throw new TransactionOverError()
  if (!unit?.isOver) return unit
  if (isStrict) throw new TransactionOverError()
  let open: UnitOfWork | null = unit
  while (open?.isOver) open = open.outer
  return open ?? undefined
}

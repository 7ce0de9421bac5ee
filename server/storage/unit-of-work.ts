import { settleAll } from '../lib/settle-all.ts'
import { TakingTurns } from './taking-turns.ts'

/** A statement or transaction came from work that its transaction did not wait for. */
export class TransactionOverError extends Error {
  override readonly name = 'TransactionOverError'

  constructor() {
    super('The transaction this belongs to is over; something in it was not awaited.')
  }
}

/** What is done when something can no longer be rolled back. */
export type AfterCommit = () => unknown

function attempt(work: AfterCommit): unknown {
  try {
    return work()
  } catch (error) {
    return Promise.reject(error as Error)
  }
}

/** A transaction under way, or a savepoint inside one. */
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

  /** Settles when what waited for the commit is done; null when nothing of it takes time. */
  get following(): Promise<void> | null {
    return this.#following
  }

  /** Whether it goes on although what it stands in has ended without it. */
  get isCutOff(): boolean {
    return !this.#isOver && this.outer !== null && (this.outer.isOver || this.outer.isCutOff)
  }

  /** How many savepoints it stands in. */
  get depth(): number {
    return this.outer === null ? 0 : this.outer.depth + 1
  }

  /** No statement takes part any more. */
  end(): void {
    this.#isOver = true
  }

  /** Does something when what was written can no longer be rolled back. */
  afterCommit(work: AfterCommit): void {
    this.#afterCommit.push(work)
  }

  /** Hands what waits for the commit to the unit around it. */
  handOver(outer: UnitOfWork): void {
    for (const work of this.#afterCommit) outer.afterCommit(work)
    this.#afterCommit = []
  }

  /** Begins what waited for the commit, all of it also where a part fails. */
  committed(): void {
    const begun: Promise<unknown>[] = []
    for (const work of this.#afterCommit) {
      const result = attempt(work)
      if (result instanceof Promise) begun.push(result)
    }
    if (begun.length > 0) this.#following = settleAll(begun)
  }
}

/**
 * The unit that a call from within `unit` belongs to; none where all of it is over, which is refused
 * with `isStrict`.
 */
export function findOpenUnit(
  unit: UnitOfWork | undefined,
  isStrict: boolean,
): UnitOfWork | undefined {
  // What it would belong to was rolled back.
  if (unit?.isCutOff) throw new TransactionOverError()
  if (!unit?.isOver) return unit
  if (isStrict) throw new TransactionOverError()
  let open: UnitOfWork | null = unit
  while (open?.isOver) open = open.outer
  return open ?? undefined
}

import { TakingTurns } from './taking-turns.ts'

/** A transaction under way, or a savepoint inside one. */
export class UnitOfWork {
  /** Null for a transaction. */
  readonly outer: UnitOfWork | null
  /** Savepoints directly inside it, one after the other. */
  readonly inner = new TakingTurns()
  #isOver = false
  #afterCommit: (() => void)[] = []

  constructor(outer: UnitOfWork | null) {
    this.outer = outer
  }

  get isOver(): boolean {
    return this.#isOver
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
  afterCommit(work: () => void): void {
    this.#afterCommit.push(work)
  }

  /** Hands what waits for the commit to the unit around it. */
  handOver(outer: UnitOfWork): void {
    for (const work of this.#afterCommit) outer.afterCommit(work)
    this.#afterCommit = []
  }

  committed(): void {
    for (const work of this.#afterCommit) work()
  }
}

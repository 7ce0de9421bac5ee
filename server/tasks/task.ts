/** A run that goes on independently of the request that began it. */
export interface Task {
  readonly id: string
  readonly userId: string
  readonly chatId: string | null
  readonly messageId: string | null
  /**
   * An answer, a button somebody pressed under one, or what is written beside it afterwards, such
   * as a title.
   */
  readonly kind: 'answer' | 'action' | 'background'
  /**
   * Aborts when the run is stopped by its owner, an admin or the shutdown; `reason` is a
   * `TaskStop`.
   */
  readonly signal: AbortSignal
  /**
   * What the answer is marked with in the database, where another gateway might end it; null where
   * there is no other.
   */
  readonly writer: string | null
  /** Called exactly once when the run has ended and everything is saved. */
  finish(): void
}

/** Why a run was stopped. */
export type TaskStop = 'user' | 'shutdown' | 'deleted'

/** What others may know of a run. */
export type TaskFacts = Pick<Task, 'id' | 'userId' | 'chatId' | 'messageId' | 'kind'>

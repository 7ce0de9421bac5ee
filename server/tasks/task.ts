/** Run that continues independently of the request that started it. */
export interface Task {
  readonly id: string
  readonly userId: string
  readonly chatId: string | null
  readonly messageId: string | null
  /**
   * An answer, a triggered action button under one, the filters that change a finished answer, or
   * text generated alongside it afterwards, such as a title.
   */
  readonly kind: 'answer' | 'action' | 'outlet' | 'background'
  /**
   * Aborts when the run is stopped by its owner, an administrator or the shutdown; `reason` is a
   * `TaskStop`.
   */
  readonly signal: AbortSignal
  /**
   * Writer mark of the answer in the database if another gateway might end it; null if there is no
   * other gateway.
   */
  readonly writer: string | null
  /** Must be called exactly once when the run has ended and everything is saved. */
  finish(): void
}

/** Reason why a run was stopped. */
export type TaskStop = 'user' | 'shutdown' | 'deleted'

/** Public data of a run. */
export type TaskFacts = Pick<Task, 'id' | 'userId' | 'chatId' | 'messageId' | 'kind'>

/** A run that goes on independently of the request that began it. */
export interface Task {
  readonly id: string
  readonly userId: string
  readonly chatId: string | null
  readonly messageId: string | null
  /** Aborts when the run is stopped by its owner, an admin or the shutdown; `reason` is a `TaskStop`. */
  readonly signal: AbortSignal
  /** Called exactly once when the run has ended and everything is saved. */
  finish(): void
}

/** Why a run was stopped. */
export type TaskStop = 'user' | 'shutdown' | 'deleted'

/** The running answers of the gateway. */
export interface Tasks {
  start(run: { userId: string; chatId: string | null; messageId: string | null }): Task
  get(id: string): Task | null
  list(): Task[]
  ofChat(chatId: string): Task[]
  /** Stops a run; true when there was one. */
  stop(id: string, reason: TaskStop): boolean
  /** Stops everything and waits until all runs have finished, at most `timeoutMs`. */
  drain(timeoutMs: number): Promise<void>
}

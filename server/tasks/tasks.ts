import { newId } from '../lib/ids.ts'
import type { Users } from '../users/index.ts'

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
  /** Called exactly once when the run has ended and everything is saved. */
  finish(): void
}

/** Why a run was stopped. */
export type TaskStop = 'user' | 'shutdown' | 'deleted'

interface Run extends Task {
  readonly controller: AbortController
  readonly finished: Promise<void>
}

/** What the gateway is writing: answers, and background work that follows them. */
export class Tasks {
  readonly #runs = new Map<string, Run>()
  readonly #byChat = new Map<string, Set<Run>>()

  start(begun: Pick<Task, 'userId' | 'chatId' | 'messageId'> & { kind?: Task['kind'] }): Task {
    const controller = new AbortController()
    const { promise: finished, resolve } = Promise.withResolvers<void>()
    const finish = (): void => {
      this.#forget(run)
      resolve()
    }
    const run: Run = {
      id: newId(),
      kind: 'answer',
      ...begun,
      controller,
      signal: controller.signal,
      finish,
      finished,
    }
    this.#remember(run)
    return run
  }

  get(id: string): Task | null {
    return this.#runs.get(id) ?? null
  }

  list(): Task[] {
    return [...this.#runs.values()]
  }

  /** The answers being written in a chat, or what else of these kinds runs there. */
  ofChat(chatId: string, kinds: readonly Task['kind'][] = ['answer']): Task[] {
    return [...(this.#byChat.get(chatId) ?? [])].filter((run) => kinds.includes(run.kind))
  }

  /** Stops a run; true when there was one. */
  stop(id: string, reason: TaskStop): boolean {
    const run = this.#runs.get(id)
    run?.controller.abort(reason)
    return run !== undefined
  }

  /**
   * Stops the answers of a chat, or the one of a message, with the background work that belongs to
   * them; says how many runs that were.
   */
  stopChat(chatId: string, reason: TaskStop, messageId?: string): number {
    const open = [...(this.#byChat.get(chatId) ?? [])].filter(
      (run) => messageId === undefined || run.messageId === messageId,
    )
    for (const run of open) this.stop(run.id, reason)
    return open.length
  }

  /** Waits until no run is left, at most `timeoutMs`; stops nothing. */
  settle(timeoutMs: number): Promise<void> {
    return settleWithin(this.#finishAll(), timeoutMs)
  }

  /** Stops everything and waits until all runs have finished, at most `timeoutMs`. */
  async drain(timeoutMs: number): Promise<void> {
    for (const run of this.#runs.values()) this.stop(run.id, 'shutdown')
    await settleWithin(this.#finishAll(), timeoutMs)
  }

  #forget(run: Run): void {
    this.#runs.delete(run.id)
    const siblings = run.chatId === null ? undefined : this.#byChat.get(run.chatId)
    siblings?.delete(run)
    if (siblings?.size === 0) this.#byChat.delete(run.chatId!)
  }

  #remember(run: Run): void {
    this.#runs.set(run.id, run)
    if (run.chatId === null) return
    const siblings = this.#byChat.get(run.chatId)
    if (siblings) siblings.add(run)
    else this.#byChat.set(run.chatId, new Set([run]))
  }

  /** A run that ends may be followed by another, such as the work after an answer. */
  async #finishAll(): Promise<void> {
    while (this.#runs.size > 0)
      await Promise.all([...this.#runs.values()].map((run) => run.finished))
  }
}

async function settleWithin(work: Promise<void>, timeoutMs: number): Promise<void> {
  const { promise: timedOut, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, timeoutMs)
  await Promise.race([work, timedOut])
  clearTimeout(timer)
}

/** Whatever runs for an account ends with it. */
export function stopTasksOfDeleted(
  users: Pick<Users, 'get' | 'onSessionsRevoked'>,
  tasks: Tasks,
): void {
  users.onSessionsRevoked(async (userId) => {
    if (await users.get(userId)) return
    for (const task of tasks.list()) if (task.userId === userId) tasks.stop(task.id, 'deleted')
  })
}

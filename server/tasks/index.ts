import { newId } from '../lib/ids.ts'
import type { Users } from '../users/index.ts'
export { createTaskRoutes } from './routes.ts'

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

/** What the gateway is writing: answers, and background work that follows them. */
export interface Tasks {
  start(run: Pick<Task, 'userId' | 'chatId' | 'messageId'> & { kind?: Task['kind'] }): Task
  get(id: string): Task | null
  list(): Task[]
  /** The answers being written in a chat, or what else of these kinds runs there. */
  ofChat(chatId: string, kinds?: readonly Task['kind'][]): Task[]
  /** Stops a run; true when there was one. */
  stop(id: string, reason: TaskStop): boolean
  /**
   * Stops the answers of a chat, or the one of a message, with the background work that belongs to
   * them; says how many runs that were.
   */
  stopChat(chatId: string, reason: TaskStop, messageId?: string): number
  /** Waits until no run is left, at most `timeoutMs`; stops nothing. */
  settle(timeoutMs: number): Promise<void>
  /** Stops everything and waits until all runs have finished, at most `timeoutMs`. */
  drain(timeoutMs: number): Promise<void>
}

interface Run extends Task {
  readonly controller: AbortController
  readonly finished: Promise<void>
}

/** Keeps the running work in memory; runs of one chat are found without looking at the others. */
export function createTasks(): Tasks {
  const runs = new Map<string, Run>()
  const byChat = new Map<string, Set<Run>>()

  const forget = (run: Run): void => {
    runs.delete(run.id)
    const siblings = run.chatId === null ? undefined : byChat.get(run.chatId)
    siblings?.delete(run)
    if (siblings?.size === 0) byChat.delete(run.chatId!)
  }

  const remember = (run: Run): void => {
    runs.set(run.id, run)
    if (run.chatId === null) return
    const siblings = byChat.get(run.chatId)
    if (siblings) siblings.add(run)
    else byChat.set(run.chatId, new Set([run]))
  }

  const stop = (id: string, reason: TaskStop): boolean => {
    const run = runs.get(id)
    run?.controller.abort(reason)
    return run !== undefined
  }

  /** A run that ends may be followed by another, such as the work after an answer. */
  const finishAll = async (): Promise<void> => {
    while (runs.size > 0) await Promise.all([...runs.values()].map((run) => run.finished))
  }

  return {
    start: (begun) => {
      const controller = new AbortController()
      const { promise: finished, resolve } = Promise.withResolvers<void>()
      const finish = (): void => {
        forget(run)
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
      remember(run)
      return run
    },
    get: (id) => runs.get(id) ?? null,
    list: () => [...runs.values()],
    ofChat: (chatId, kinds = ['answer']) =>
      [...(byChat.get(chatId) ?? [])].filter((run) => kinds.includes(run.kind)),
    stop,
    stopChat: (chatId, reason, messageId) => {
      const open = [...(byChat.get(chatId) ?? [])].filter(
        (run) => messageId === undefined || run.messageId === messageId,
      )
      for (const run of open) stop(run.id, reason)
      return open.length
    },
    settle: (timeoutMs) => settleWithin(finishAll(), timeoutMs),
    drain: async (timeoutMs) => {
      for (const run of runs.values()) stop(run.id, 'shutdown')
      await settleWithin(finishAll(), timeoutMs)
    },
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
  users.onSessionsRevoked((userId) => {
    if (users.get(userId)) return
    for (const task of tasks.list()) if (task.userId === userId) tasks.stop(task.id, 'deleted')
  })
}

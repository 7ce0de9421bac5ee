import { newId } from '../lib/ids.ts'
import type { Live } from '../live/index.ts'
import type { Users } from '../users/index.ts'
import { RemoteTasks } from './remote-tasks.ts'
import type { Task, TaskFacts, TaskStop } from './task.ts'

interface Run extends Task {
  readonly controller: AbortController
  readonly finished: Promise<void>
}

/** Running tasks of the gateway: answers, and the background work that follows them. */
export class Tasks {
  readonly #runs = new Map<string, Run>()
  readonly #byChat = new Map<string, Set<Run>>()
  readonly #remote: RemoteTasks | null
  readonly #self: string | null

  constructor(live: Live | null = null) {
    this.#self = live?.self ?? null
    this.#remote = live && new RemoteTasks(live, (id, reason) => void this.#stopHere(id, reason))
    live?.replicas.onLost(() => {
      for (const { id } of this.#runs.values()) this.#stopHere(id, 'deleted')
    })
  }

  /**
   * Starts receiving the runs of other gateways; must be awaited before the gateway serves
   * requests.
   */
  async open(): Promise<void> {
    await this.#remote?.open()
  }

  start(begun: Pick<Task, 'userId' | 'chatId' | 'messageId'> & { kind?: Task['kind'] }): Task {
    const controller = new AbortController()
    const { promise: finished, resolve } = Promise.withResolvers<void>()
    const finish = (): void => {
      this.#forget(run)
      resolve()
    }
    const id = newId()
    const run: Run = {
      id,
      writer: this.#self === null ? null : `${this.#self}/${id}`,
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

  get(id: string): TaskFacts | null {
    return this.#runs.get(id) ?? this.#remote?.find(id) ?? null
  }

  /** Returns all runs, including those of other gateways. */
  list(): TaskFacts[] {
    return this.#remote ? [...this.#runs.values(), ...this.#remote.all()] : [...this.#runs.values()]
  }

  /** Returns the answers being written in a chat, or other runs of the given kinds there. */
  ofChat(chatId: string, kinds: readonly Task['kind'][] = ['answer']): TaskFacts[] {
    return this.#allOfChat(chatId).filter((run) => kinds.includes(run.kind))
  }

  /** Stops a run; returns true if there was one. */
  stop(id: string, reason: TaskStop): boolean {
    return this.#stopHere(id, reason) || this.#remote?.stop(id, reason) === true
  }

  /**
   * Stops the answers of a chat, or that of a message, with the background work that belongs to
   * them; returns the number of stopped runs.
   */
  stopChat(chatId: string, reason: TaskStop, messageId?: string): number {
    const open = this.#allOfChat(chatId).filter(
      (run) => messageId === undefined || run.messageId === messageId,
    )
    for (const run of open) this.stop(run.id, reason)
    return open.length
  }

  /** Waits until no run is left, at most `timeoutMs`; stops nothing. */
  settle(timeoutMs: number): Promise<void> {
    return settleWithin(this.#finishAll(), timeoutMs)
  }

  /** Stops all runs and waits until they have finished, at most `timeoutMs`. */
  async drain(timeoutMs: number): Promise<void> {
    for (const run of this.#runs.values()) this.#stopHere(run.id, 'shutdown')
    await settleWithin(this.#finishAll(), timeoutMs)
  }

  #stopHere(id: string, reason: TaskStop): boolean {
    const run = this.#runs.get(id)
    run?.controller.abort(reason)
    return run !== undefined
  }

  #allOfChat(chatId: string): TaskFacts[] {
    const here = [...(this.#byChat.get(chatId) ?? [])]
    return this.#remote ? [...here, ...this.#remote.ofChat(chatId)] : here
  }

  #forget(run: Run): void {
    this.#runs.delete(run.id)
    this.#remote?.ended(run.id)
    const siblings = run.chatId === null ? undefined : this.#byChat.get(run.chatId)
    siblings?.delete(run)
    if (siblings?.size === 0) this.#byChat.delete(run.chatId!)
  }

  #remember(run: Run): void {
    this.#runs.set(run.id, run)
    this.#remote?.begun(run)
    if (run.chatId === null) return
    const siblings = this.#byChat.get(run.chatId)
    if (siblings) siblings.add(run)
    else this.#byChat.set(run.chatId, new Set([run]))
  }

  /** A run that ends may be followed by another one, such as the work after an answer. */
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

/** Stops all runs of an account when it is deleted or may no longer sign in. */
export function stopTasksOfBarred(users: Pick<Users, 'onBarred'>, tasks: Tasks): void {
  users.onBarred((userId, reason) => {
    for (const task of tasks.list())
      if (task.userId === userId) tasks.stop(task.id, reason === 'deleted' ? 'deleted' : 'user')
  })
}

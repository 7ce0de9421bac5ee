import { SharedEntries, type Live } from '../live/index.ts'
import type { TaskFacts, TaskStop } from './task.ts'

type Entry = Omit<TaskFacts, 'id'>

interface SaidStop {
  readonly id: string
  readonly reason: TaskStop
}

const topicOf = (replica: string): string => `stop:${replica}`

/** Runs of other gateways; stops them on request. */
export class RemoteTasks {
  readonly #live: Live
  readonly #entries: SharedEntries<Entry>
  readonly #stopHere: (id: string, reason: TaskStop) => void

  constructor(live: Live, stopHere: (id: string, reason: TaskStop) => void) {
    this.#live = live
    this.#entries = new SharedEntries(live, 'tasks')
    this.#stopHere = stopHere
  }

  async open(): Promise<void> {
    const { line, self } = this.#live
    await line.hear(topicOf(self), (said) => {
      const { id, reason } = said as SaidStop
      this.#stopHere(id, reason)
    })
    await this.#entries.open()
  }

  begun({ id, userId, chatId, messageId, kind }: TaskFacts): void {
    this.#entries.put(id, { userId, chatId, messageId, kind })
  }

  ended(id: string): void {
    this.#entries.remove(id)
  }

  find(id: string): TaskFacts | null {
    const found = this.#entries.find(id)
    return found && { id, ...found.entry }
  }

  *all(): Generator<TaskFacts> {
    for (const { id, entry } of this.#entries.others()) yield { id, ...entry }
  }

  *ofChat(chatId: string): Generator<TaskFacts> {
    for (const task of this.all()) if (task.chatId === chatId) yield task
  }

  /** Has another gateway stop a run; returns true if one has it. */
  stop(id: string, reason: TaskStop): boolean {
    const found = this.#entries.find(id)
    if (!found) return false
    this.#live.line.tell(topicOf(found.replica), { id, reason } satisfies SaidStop)
    return true
  }
}

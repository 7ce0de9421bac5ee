import type { FileNews, FileProgress } from '#contract/files.ts'
import type { Events } from '../../events/index.ts'

/** Progress of files and its subscribers, in memory only. */
export class ProgressBoard {
  readonly #events: Pick<Events, 'emit'>
  readonly #progress = new Map<string, FileProgress>()
  readonly #watchers = new Map<string, Set<(news: FileNews) => void>>()

  constructor(events: Pick<Events, 'emit'>) {
    this.#events = events
  }

  of(fileId: string): FileProgress | null {
    return this.#progress.get(fileId) ?? null
  }

  set(fileId: string, now: FileProgress): void {
    this.#progress.set(fileId, now)
  }

  clear(fileId: string): void {
    this.#progress.delete(fileId)
  }

  /** Notifies the owner's windows and all subscribers. */
  announce(ownerId: string, news: FileNews): void {
    this.#events.emit(ownerId, {
      chat_id: null,
      message_id: null,
      data: { type: 'file:status', data: news },
    })
    for (const listener of this.#watchers.get(news.id) ?? []) listener(news)
  }

  /** Returns a function that removes the listener. */
  watch(fileId: string, listener: (news: FileNews) => void): () => void {
    const listeners = this.#watchers.get(fileId) ?? new Set()
    this.#watchers.set(fileId, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#watchers.delete(fileId)
    }
  }
}

import type { FileNews, FileProgress } from '#contract/files.ts'
import type { Events } from '../events/index.ts'

/** How far files are, and who wants to know. Nothing of it has to last. */
export interface ProgressBoard {
  of(fileId: string): FileProgress | null
  set(fileId: string, progress: FileProgress): void
  clear(fileId: string): void
  /** Tells the owner's windows and everybody who watches. */
  announce(ownerId: string, news: FileNews): void
  /** Answers what ends the calls. */
  watch(fileId: string, listener: (news: FileNews) => void): () => void
}

export function createProgressBoard(events: Pick<Events, 'emit'>): ProgressBoard {
  const progress = new Map<string, FileProgress>()
  const watchers = new Map<string, Set<(news: FileNews) => void>>()

  return {
    of: (fileId) => progress.get(fileId) ?? null,
    set: (fileId, now) => void progress.set(fileId, now),
    clear: (fileId) => void progress.delete(fileId),
    announce(ownerId, news) {
      events.emit(ownerId, {
        chat_id: null,
        message_id: null,
        data: { type: 'file:status', data: news },
      })
      for (const listener of watchers.get(news.id) ?? []) listener(news)
    },
    watch(fileId, listener) {
      const listeners = watchers.get(fileId) ?? new Set()
      watchers.set(fileId, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) watchers.delete(fileId)
      }
    },
  }
}

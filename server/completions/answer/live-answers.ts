import type { AnswerPatch } from '../../chats/index.ts'

/** Answers being written, for reads that occur before the next save. */
export interface LiveAnswers {
  add(chatId: string, messageId: string, read: () => AnswerPatch): void
  remove(chatId: string, messageId: string): void
  /** Returns true if this reader is still registered for the message; a later run replaces it. */
  holds(chatId: string, messageId: string, read: () => AnswerPatch): boolean
  find(chatId: string, messageId: string): AnswerPatch | null
}

export function createLiveAnswers(): LiveAnswers {
  const running = new Map<string, () => AnswerPatch>()
  // The gateway generates chat ids, so only the message id after it can contain a slash.
  const toKey = (chatId: string, messageId: string) => `${chatId}/${messageId}`
  return {
    add: (chatId, messageId, read) => void running.set(toKey(chatId, messageId), read),
    remove: (chatId, messageId) => void running.delete(toKey(chatId, messageId)),
    holds: (chatId, messageId, read) => running.get(toKey(chatId, messageId)) === read,
    find: (chatId, messageId) => running.get(toKey(chatId, messageId))?.() ?? null,
  }
}

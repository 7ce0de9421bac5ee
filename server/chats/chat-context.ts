import { notFound } from '../lib/errors.ts'
import type { Storage } from '../storage/index.ts'
import type { Tasks } from '../tasks/index.ts'
import type { Announce } from './announce.ts'
import type { AnswerPatch } from './index.ts'
import type { ChatParts } from './merge-messages.ts'
import { patchMessage } from './patch-message.ts'
import type { ChatRow, ListRow, MessageRow } from './store.ts'
import { toListItem } from './render-chat.ts'
import type { ChatListItem } from '#contract/chats.ts'

export type LiveAnswers = (chatId: string, messageId: string) => AnswerPatch | null

/** What every operation on chats shares. */
export interface ChatContext extends ChatParts {
  readonly storage: Storage
  readonly tasks: Pick<Tasks, 'ofChat' | 'stop'>
  readonly announce: Announce
  /** Replaced once completions exist; until then nothing is being written. */
  liveAnswers: LiveAnswers
}

/** A chat of a user; a missing, trashed or foreign one is the same 404. */
export function requireChat({ store }: ChatContext, userId: string, chatId: string): ChatRow {
  const chat = store.chat(chatId)
  if (!chat || chat.user_id !== userId || chat.deleted_at !== null) throw notFound('This chat does not exist.')
  return chat
}

export function requireMessage({ store }: ChatContext, chatId: string, messageId: string): MessageRow {
  const row = store.message(chatId, messageId)
  if (!row) throw notFound('This message is not in the chat.')
  return row
}

/** The chat behind a run, whoever owns it. */
export function requireOpenChat({ store }: ChatContext, chatId: string): ChatRow {
  const chat = store.chat(chatId)
  if (!chat || chat.deleted_at !== null) throw notFound('This chat does not exist.')
  return chat
}

/** A row with the text that storage does not have yet. */
export function refreshRow({ liveAnswers }: ChatContext, row: MessageRow): MessageRow {
  const patch = row.running === 1 ? liveAnswers(row.chat_id, row.id) : null
  return patch ? patchMessage(row, patch) : row
}

export const describeChat = ({ tasks }: ChatContext, row: ListRow): ChatListItem => toListItem(row, tasks.ofChat(row.id).length > 0)

import type { Chat } from '#contract/chats.ts'
import type { Caller } from '../../lib/http.ts'
import { newId, nowSeconds } from '../../lib/ids.ts'
import { runInTurns } from '../../lib/turns.ts'
import { requireChat, requireMessage, refreshRow, type ChatContext } from '../chat-context.ts'
import { createChat } from '../save-chat.ts'
import type { ChatRow, MessageRow } from '../store.ts'
import { indexTags } from '../tags/change-tags.ts'
import { requireShare } from './share-chat.ts'

/** The record of a copy: new, unshared, and knowing where it comes from. */
function toCopy(chat: ChatRow, { title, currentId }: { title: string; currentId: string | null }): Omit<ChatRow, 'seq'> {
  const { seq: _seq, ...fields } = chat
  const origin = { originalChatId: chat.id, branchPointMessageId: currentId }
  return {
    ...fields,
    id: newId(),
    title,
    current_id: currentId,
    timestamp: Date.now(),
    extra: JSON.stringify({ ...(JSON.parse(chat.extra) as object), ...origin }),
    pinned: 0,
    archived: 0,
    share_id: null,
    created_at: nowSeconds(),
    updated_at: nowSeconds(),
    last_read_at: null,
  }
}

/** Stores the record of a copy and lets `fill` put the messages into it; they are indexed afterwards. */
function storeCopy(context: ChatContext, copy: Omit<ChatRow, 'seq'>, fill: (copy: ChatRow) => void): ChatRow {
  const { storage, store, search, backlog, announce } = context
  const stored = storage.transaction(() => {
    const row = store.insertChat(copy)
    search.indexTitle(row, row.user_id)
    indexTags(context, row)
    search.indexLater(row.id)
    fill(row)
    return row
  })
  backlog.wake()
  announce.listChanged(stored, 'created')
  return stored
}

/** Copies a chat with all its branches. */
export function cloneChat(context: ChatContext, userId: string, { chatId, title }: { chatId: string; title?: string | null }): ChatRow {
  const chat = requireChat(context, userId, chatId)
  const copy = toCopy(chat, { title: title || `Clone of ${chat.title}`, currentId: chat.current_id })
  return storeCopy(context, copy, ({ id }) => context.shares.copyMessages({ from: chatId, to: id }))
}

const toFinished = (row: MessageRow): MessageRow => (row.running === 1 ? { ...row, running: 0, done: 1 } : row)

/** Makes a new chat of the messages from the first one to one of them. */
export function forkChat(
  context: ChatContext,
  userId: string,
  { chatId, messageId, title }: { chatId: string; messageId: string; title?: string | null },
): ChatRow {
  const { store } = context
  const chat = requireChat(context, userId, chatId)
  requireMessage(context, chatId, messageId)
  const copy = toCopy(chat, { title: title || chat.title, currentId: messageId })
  return storeCopy(context, copy, ({ id }) => {
    for (const row of store.climb(chatId, messageId).reverse()) {
      store.insertMessage({ ...toFinished(refreshRow(context, row)), chat_id: id })
    }
  })
}

/** Copies what a share link shows into the chats of whoever may read it. */
export async function cloneShared(context: ChatContext, caller: Caller, shareId: string): Promise<ChatRow> {
  const share = requireShare(context, caller, shareId)
  const { title, chat } = JSON.parse(context.shares.snapshot(share.id)) as Chat
  const body = { ...chat, title: `Clone of ${title}`, originalChatId: share.chat_id }
  return (await runInTurns(createChat(context, caller.userId, body))).chat
}

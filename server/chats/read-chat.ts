import type { Message } from '#contract/chats.ts'
import { refreshRow, type ChatContext } from './chat-context.ts'
import { renderChat, renderChildren, renderMessage } from './render-chat.ts'
import type { ChatRow, MessageRow } from './store.ts'

/** A chat record with all its branches as JSON text. */
export function readChat(context: ChatContext, chat: ChatRow, repairs: readonly string[] = []): string {
  const { store } = context
  const rows = store.messagesOf(chat.id).map((row) => refreshRow(context, row))
  return renderChat(chat, { rows, expected: store.expectedChildren(chat.id), repairs })
}

function toMessages(context: ChatContext, chatId: string, rows: readonly MessageRow[]): Message[] {
  const { store } = context
  const links = store.children(
    chatId,
    rows.map((row) => row.id),
  )
  const children = renderChildren(links, store.expectedChildren(chatId))
  return rows.map((row) => JSON.parse(renderMessage(refreshRow(context, row), children.get(row.id) ?? '')) as Message)
}

export function readMessage(context: ChatContext, chatId: string, messageId: string): Message | null {
  const row = context.store.message(chatId, messageId)
  return row ? toMessages(context, chatId, [row])[0]! : null
}

/** The messages from the root to one of them. */
export const readThread = (context: ChatContext, chatId: string, messageId: string): Message[] =>
  toMessages(context, chatId, context.store.climb(chatId, messageId).toReversed())

import type { Chat, Message } from '#contract/chats.ts'
import { refreshRow, requireOpenChat, type ChatContext } from './chat-context.ts'
import { renderChat, renderChildren, renderMessage } from './render-chat.ts'
import type { MessageRow } from './store.ts'

/**
 * A chat record with all its branches as JSON text, in pieces between which others may be served. It shows the chat as it
 * was when the first piece was asked for.
 */
export function* readChat(context: ChatContext, chatId: string, repairs: readonly string[] = []): Generator<string> {
  const { store } = context
  const chat = requireOpenChat(context, chatId)
  const expected = store.expectedChildren(chatId)
  const rows: MessageRow[] = []
  for (const page of store.snapshot(chatId)) {
    for (const row of page) rows.push(refreshRow(context, row))
    yield ''
  }
  yield* renderChat(chat, { rows, expected, repairs })
}

/** The same in one go, for callers inside the gateway. */
export const readWholeChat = (context: ChatContext, chatId: string): Chat => JSON.parse([...readChat(context, chatId)].join('')) as Chat

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

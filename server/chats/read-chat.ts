import type { Chat, Message } from '#contract/chats.ts'
import { refreshRow, requireOpenChat, type ChatContext } from './chat-context.ts'
import { findThread, renderChat, renderChildren, renderMessage, withoutText } from './render-chat.ts'
import type { ChatRow, LinkRow, MessageRow } from './store.ts'

/** Messages read in one go: few enough that even long ones do not take long. */
const PAGE = 64
const LINK_PAGE = 500

function* pagesOf(seqs: readonly number[], size: number): Generator<readonly number[]> {
  for (let from = 0; from < seqs.length; from += size) yield seqs.slice(from, from + size)
}

/** How a chat is read. */
export interface ReadOptions {
  readonly repairs?: readonly string[]
  /** Fields of the record that are shown otherwise than they are stored. */
  readonly shownAs?: Partial<Pick<ChatRow, 'share_id' | 'folder_id'>>
  /** Only the messages from the first to the current one. */
  readonly isThreadOnly?: boolean
}

/** The links of the messages from the root to the current one, as if there were no others. */
function* toThread(links: readonly LinkRow[], currentId: string | null): Generator<void, LinkRow[]> {
  const wanted = new Set(yield* findThread(links, currentId))
  return links.filter((link) => wanted.has(link.seq))
}

/**
 * A chat record with all its branches as JSON text, in pieces between which others may be served. It shows the chat as it
 * was when the first piece was asked for. Texts are read where they are written, so that many long chats can be on their
 * way at once.
 */
export function* readChat(context: ChatContext, chatId: string, options: ReadOptions = {}): Generator<string> {
  const { store } = context
  const { repairs, shownAs, isThreadOnly = false } = options
  const chat = { ...requireOpenChat(context, chatId), ...shownAs }
  const expected = isThreadOnly ? [] : store.expectedChildren(chatId)
  const snapshot = store.openSnapshot(chatId)
  const readRows = function* (seqs: readonly number[]): Generator<MessageRow, undefined> {
    for (const page of pagesOf(seqs, PAGE)) {
      for (const row of snapshot.rows(page)) {
        const fresh = refreshRow(context, row)
        if (fresh !== row) snapshot.settle(fresh)
        yield fresh
      }
    }
  }
  try {
    const links: LinkRow[] = []
    for (const page of pagesOf(snapshot.seqs, LINK_PAGE)) {
      links.push(...snapshot.links(page))
      yield ''
    }
    const shown = isThreadOnly ? yield* withoutText(toThread(links, chat.current_id)) : links
    yield* renderChat(chat, { links: shown, readRows, expected, repairs })
  } finally {
    snapshot.end()
  }
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

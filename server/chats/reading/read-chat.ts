import type { Chat, Message } from '#contract/chats.ts'
import { refreshRow, requireOpenChat, type ChatContext } from '../chat-context.ts'
import type { ChatSnapshot } from './snapshots.ts'
import {
  type ExpectedLink,
  findThread,
  renderChat,
  renderChildren,
  renderMessage,
  withoutText,
} from './render-chat.ts'
import type { ChatRow } from '../store.ts'
import type { LinkRow, MessageRow } from '../chat-rows.ts'

/** Number of messages read at once: few enough that even long ones do not take long. */
const PAGE = 64
const LINK_PAGE = 500

function* pagesOf(seqs: readonly number[], size: number): Generator<readonly number[]> {
  for (let from = 0; from < seqs.length; from += size) yield seqs.slice(from, from + size)
}

/** Options for reading a chat. */
export interface ReadOptions {
  readonly repairs?: readonly string[]
  /** Fields of the record whose shown values differ from the stored ones. */
  readonly shownAs?: Partial<Pick<ChatRow, 'share_id' | 'folder_id'>>
  /** The record, if it was read a moment ago. */
  readonly record?: ChatRow
  /** The moment the chat is shown as of, if it was opened before. */
  readonly snapshot?: ChatSnapshot
  /** The expected children, if they were read before. */
  readonly expected?: readonly ExpectedLink[]
  /** True to read only the messages from the first to the current one. */
  readonly isThreadOnly?: boolean
}

/**
 * Returns the links of the messages from the root to the current one, as if there were no others.
 */
function* toThread(
  links: readonly LinkRow[],
  currentId: string | null,
): Generator<void, LinkRow[]> {
  const wanted = new Set(yield* findThread(links, currentId))
  return links.filter((link) => wanted.has(link.seq))
}

/**
 * Reads a chat record with all its branches as JSON text, in pieces between which other requests
 * can be served. It shows the chat as of the request for the first piece. Texts are read when they
 * are written, so that many long chats can be sent at once.
 */
export async function* readChat(
  context: ChatContext,
  chatId: string,
  options: ReadOptions = {},
): AsyncGenerator<string> {
  const { store } = context
  const { repairs, shownAs, isThreadOnly = false } = options
  const record = options.record ?? (await requireOpenChat(context, chatId))
  const chat = { ...record, ...shownAs }
  const expected = isThreadOnly ? [] : (options.expected ?? (await store.expectedChildren(chatId)))
  const snapshot = options.snapshot ?? (await store.snapshots.open(chatId))
  const readRows = async function* (
    seqs: readonly number[],
  ): AsyncGenerator<MessageRow, undefined> {
    for await (const page of snapshot.pages(seqs)) {
      for (const row of await snapshot.rows(page)) {
        const fresh = refreshRow(context, row)
        if (fresh !== row) snapshot.settle(fresh)
        yield fresh
      }
    }
  }
  try {
    const links: LinkRow[] = []
    for (const page of pagesOf(snapshot.seqs, LINK_PAGE)) {
      links.push(...(await snapshot.links(page)))
      yield ''
    }
    const shown = isThreadOnly ? yield* withoutText(toThread(links, chat.current_id)) : links
    yield* renderChat(chat, { links: shown, readRows, expected, repairs })
  } finally {
    snapshot.end()
  }
}

/** Reads the chat at once, for callers inside the gateway. */
export const readWholeChat = async (context: ChatContext, chatId: string): Promise<Chat> =>
  JSON.parse([...(await Array.fromAsync(readChat(context, chatId)))].join('')) as Chat

async function toMessages(
  context: ChatContext,
  chatId: string,
  rows: readonly MessageRow[],
): Promise<Message[]> {
  const { store } = context
  const links = await store.children(
    chatId,
    rows.map((row) => row.id),
  )
  const children = renderChildren(links, await store.expectedChildren(chatId))
  return rows.map(
    (row) =>
      JSON.parse(renderMessage(refreshRow(context, row), children.get(row.id) ?? '')) as Message,
  )
}

export async function readMessage(
  context: ChatContext,
  chatId: string,
  messageId: string,
): Promise<Message | null> {
  const row = await context.store.message(chatId, messageId)
  return row ? (await toMessages(context, chatId, [row]))[0]! : null
}

/** Reads the messages from the root to one of them; only the last `count` ones if given. */
export const readThread = async (
  context: ChatContext,
  chatId: string,
  messageId: string,
  count?: number,
): Promise<Message[]> =>
  toMessages(context, chatId, (await context.store.climb(chatId, messageId, count)).toReversed())

/** Yields pages of stored messages, from one message up to the root. */
async function* climbInPages(
  { store }: ChatContext,
  chatId: string,
  messageId: string,
): AsyncGenerator<MessageRow[]> {
  for (let next: string | null = messageId; next !== null;) {
    const rows = await store.climb(chatId, next, PAGE)
    yield rows
    next = rows.at(-1)?.parent_id ?? null
  }
}

/** Does the same as `readThread` in short steps; see `readSpokenThread`. */
export async function* readWholeThread(
  context: ChatContext,
  chatId: string,
  messageId: string,
): AsyncGenerator<void, Message[]> {
  const thread: Message[] = []
  for await (const rows of climbInPages(context, chatId, messageId)) {
    thread.push(...(await toMessages(context, chatId, rows)))
    yield
  }
  return thread.reverse()
}

/** The parts of a message sent to a model. */
export type SpokenMessage = Pick<Message, 'role' | 'content' | 'files'> & {
  /** Texts, calls and results of an answer in order. */
  readonly output?: unknown
}

/**
 * Most messages have neither files nor calls, and only a few fields are read of those that have.
 */
function toSpoken({ role, content, parts, extra }: MessageRow): SpokenMessage {
  const spoken = { role, content: parts === null ? content : (JSON.parse(parts) as string) }
  if (!extra.includes('"files"') && !extra.includes('"output"')) return spoken
  const { files, output } = JSON.parse(extra) as Pick<SpokenMessage, 'files' | 'output'>
  return {
    ...spoken,
    ...(files !== undefined && { files }),
    ...(output !== undefined && { output }),
  }
}

/**
 * Reads the messages from the root to one of them in the form sent to a model, in short steps. A
 * message that is deleted meanwhile is deleted with all its descendants, so that the rest is
 * useless.
 */
export async function* readSpokenThread(
  context: ChatContext,
  chatId: string,
  messageId: string,
): AsyncGenerator<void, SpokenMessage[]> {
  const thread: SpokenMessage[] = []
  for await (const rows of climbInPages(context, chatId, messageId)) {
    for (const row of rows) thread.push(toSpoken(refreshRow(context, row)))
    yield
  }
  return thread.reverse()
}

import type { Chat } from '#contract/chats.ts'
import type { Caller } from '../../lib/http.ts'
import { GatheredBytes } from '../../lib/bytes/gathered-bytes.ts'
import { newId, nowSeconds } from '../../lib/ids.ts'
import { parseJsonInSteps, type ParsedJson } from '../../lib/json/parse-json.ts'
import { runInTurns } from '../../lib/turns.ts'
import { requireChat, requireMessage, refreshRow, type ChatContext } from '../chat-context.ts'
import { findThread } from '../reading/render-chat.ts'
import { createChat, showUnseen } from '../saving/save-chat.ts'
import { UNFINISHED, type ChatRow } from '../store.ts'
import type { LinkRow, MessageRow, NewMessageRow } from '../chat-rows.ts'
import { indexTags } from '../tags/change-tags.ts'
import { requireShare } from './share-chat.ts'
import type { ShareRow } from './store.ts'

type NewCopy = Omit<ChatRow, 'seq'>

/** Returns the record of a copy: new, unshared, with a reference to its original. */
function toCopy(
  chat: ChatRow,
  { title, currentId }: { title: string; currentId: string | null },
): NewCopy {
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

const toFinished = (row: MessageRow): MessageRow =>
  row.running === 1 ? { ...row, running: 0, done: 1 } : row

const LINKS = 500
/** Longer messages take long to read and write; each step gets a separate turn. */
const LONG_CHARACTERS = 256 * 1024
const isLong = ({ content, parts, extra }: MessageRow): boolean =>
  content.length + (parts?.length ?? 0) + extra.length > LONG_CHARACTERS

/**
 * Yields the messages of a chat as of the request for the first one, in short steps; only the
 * ancestors of a message if it is given.
 */
async function* readRows(
  context: ChatContext,
  chatId: string,
  lastId: string | null,
): AsyncGenerator<MessageRow | undefined, void> {
  const snapshot = await context.store.snapshots.open(chatId)
  try {
    let wanted = snapshot.seqs
    if (lastId !== null) {
      const links: LinkRow[] = []
      for (let from = 0; from < snapshot.seqs.length; from += LINKS) {
        links.push(...(await snapshot.links(snapshot.seqs.slice(from, from + LINKS))))
        yield undefined
      }
      const thread = findThread(links, lastId)
      let step = thread.next()
      for (; !step.done; step = thread.next()) yield undefined
      wanted = step.value
    }
    for await (const page of snapshot.pages(wanted)) yield* await snapshot.rows(page)
  } finally {
    snapshot.end()
  }
}

/**
 * Stores a copy with the messages of a chat, in transactions that are as short as a slice, before
 * it is visible. The messages are indexed afterwards.
 */
async function* storeCopy(
  context: ChatContext,
  { from, copy, lastId }: { from: string; copy: NewCopy; lastId: string | null },
) {
  const { storage, store, shares, search, trash, backlog, announce } = context
  await storage.transaction(async () => {
    await store.insertChat({ ...copy, deleted_at: UNFINISHED })
    await search.backlog.addToBacklog(copy.id)
  })
  const rows = readRows(context, from, lastId)
  const toCopied = (row: MessageRow): NewMessageRow => ({
    ...toFinished(refreshRow(context, row)),
    chat_id: copy.id,
  })
  try {
    for (let isDone = false; !isDone;) {
      let long: MessageRow | undefined
      isDone = await storage.transaction(async () => {
        const end = performance.now() + storage.pace.milliseconds
        let group: NewMessageRow[] = []
        let isLast = false
        while (performance.now() < end && !long && !isLast) {
          const { value: row, done } = await rows.next()
          isLast = done === true
          if (row && isLong(row)) long = row
          else if (row) group.push(toCopied(row))
          if (group.length < storage.pace.rows) continue
          await store.insertMessages(group)
          group = []
        }
        await store.insertMessages(group)
        return isLast
      })
      yield
      if (!long) continue
      const row = long
      await storage.transaction(() => store.insertMessage(toCopied(row)))
      yield
    }
    if (lastId === null) await storage.transaction(() => shares.copyExpected({ from, to: copy.id }))
    const stored = await storage.transaction(async () => {
      const row = await showUnseen(context, copy)
      await search.indexTitle(row, row.user_id)
      await indexTags(context, row)
      return row
    })
    await backlog.wake()
    announce.listChanged(stored, 'created')
    return stored
  } catch (error) {
    await trash.giveUp(copy.id)
    throw error
  } finally {
    await rows.return(undefined)
  }
}

/** Copies a chat with all its branches, in short steps. */
export async function* cloneChat(
  context: ChatContext,
  userId: string,
  { chatId, title }: { chatId: string; title?: string | null },
): AsyncGenerator<void, ChatRow> {
  const chat = await requireChat(context, userId, chatId)
  const copy = toCopy(chat, {
    title: title || `Clone of ${chat.title}`,
    currentId: chat.current_id,
  })
  return yield* storeCopy(context, { from: chatId, copy, lastId: null })
}

/** Creates a new chat from the messages from the first one to one of them, in short steps. */
export async function* forkChat(
  context: ChatContext,
  userId: string,
  { chatId, messageId, title }: { chatId: string; messageId: string; title?: string | null },
): AsyncGenerator<void, ChatRow> {
  const chat = await requireChat(context, userId, chatId)
  await requireMessage(context, chatId, messageId)
  const copy = toCopy(chat, { title: title || chat.title, currentId: messageId })
  return yield* storeCopy(context, { from: chatId, copy, lastId: messageId })
}

/** Parses the content of a share link, in short steps. */
async function* parseShared(
  { shares }: ChatContext,
  share: ShareRow,
): AsyncGenerator<void, ParsedJson> {
  const gathered = new GatheredBytes()
  for await (const piece of shares.pieces(share)) {
    gathered.add(Buffer.from(piece))
    yield
  }
  return yield* parseJsonInSteps(yield* gathered.take())
}

/** Copies the content of a share link to the chats of a caller who may read it. */
export async function cloneShared(
  context: ChatContext,
  caller: Caller,
  shareId: string,
): Promise<ChatRow> {
  const share = await requireShare(context, caller, shareId)
  const { value } = await runInTurns(parseShared(context, share))
  const { title, chat } = value as Chat
  const body = { ...chat, title: `Clone of ${title}`, originalChatId: share.chat_id }
  return (await runInTurns(createChat(context, caller.userId, body))).chat
}

import type { ChatListItem, ChatSearchHit } from '#contract/chats.ts'
import { describeChat, type ChatContext } from '../chat-context.ts'
import type { ListRequest } from '../answers/answer-patch.ts'
import type { ListRow } from '../store.ts'

const PAGE = 60

/**
 * Yields the list entries of chats in order; omits those deleted meanwhile. Titles and tags can be
 * long, so only as many are read at once as the pace of the database allows.
 */
export async function* describeChats(
  context: ChatContext,
  ids: readonly string[],
): AsyncGenerator<ChatListItem> {
  const { rows: atOnce } = context.storage.pace
  for (let from = 0; from < ids.length; from += atOnce)
    for (const row of await context.listRows.several(ids.slice(from, from + atOnce)))
      yield describeChat(context, row)
}

/** Yields very many chats, read as they are requested; undefined for one that is not in the list. */
async function* describeAll(
  context: ChatContext,
  userId: string,
  isWanted: (row: ListRow) => boolean,
): AsyncGenerator<ChatListItem | undefined> {
  const seqs = await context.store.seqsByAge(userId)
  const { rows: atOnce } = context.storage.pace
  for (let from = 0; from < seqs.length; from += atOnce)
    for (const row of await context.listRows.at(seqs.slice(from, from + atOnce), userId))
      yield row && isWanted(row) ? describeChat(context, row) : undefined
}

/** Lists the user's chats, newest first. */
export async function* listChats(
  context: ChatContext,
  userId: string,
  request: ListRequest,
): AsyncGenerator<ChatListItem | undefined> {
  const { page, includePinned = false, includeFolders = false } = request
  if (page === undefined && (includePinned || includeFolders))
    return yield* describeAll(
      context,
      userId,
      (row) => (includePinned || row.pinned === 0) && (includeFolders || row.folder_id === null),
    )
  const slice = page === undefined ? undefined : { offset: (page - 1) * PAGE, limit: PAGE }
  yield* describeChats(
    context,
    await context.store.list(userId, { includePinned, includeFolders, slice }),
  )
}

export async function* listPinned(
  context: ChatContext,
  userId: string,
): AsyncGenerator<ChatListItem | undefined> {
  yield* describeChats(context, await context.store.pinned(userId))
}

/**
 * Finds the user's chats with a match in the title or in a message; in short steps, because terms
 * may be frequent.
 */
export async function* findChats(
  context: ChatContext,
  userId: string,
  { text, page = 1 }: { text: string; page?: number },
): AsyncGenerator<void, ChatSearchHit[]> {
  yield* context.backlog.finish()
  const hits = yield* context.search.find(userId, { text, page })
  return hits.map(({ chat, message_id, snippet }) => ({
    ...describeChat(context, chat),
    message_id,
    snippet,
  }))
}

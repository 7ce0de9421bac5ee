import type { ChatTag } from '#contract/chat-lists.ts'
import { badRequest } from '../../lib/errors.ts'
import { requireChat, type ChatContext } from '../chat-context.ts'
import type { ChatRow } from '../store.ts'
import { isTagName, MOST_TAGS, tagIdOf, tagsOf, toTagId, type TagName } from './tag-names.ts'

/** The search uses this name for chats without tags. */
const NO_TAG = 'none'

const describe = (userId: string, tags: readonly TagName[]): ChatTag[] =>
  tags.map(({ id, name }) => ({ id, name, user_id: userId, meta: null }))

/**
 * Returns the `meta` of a chat with the ids of its tags, because clients written for other gateways
 * expect them there.
 */
export function metaWithTags(meta: string, tags: string): string {
  const { tags: _former, ...rest } = JSON.parse(meta) as Record<string, unknown>
  const ids = tagsOf(tags).map((tag) => tag.id)
  return JSON.stringify(ids.length === 0 ? rest : { ...rest, tags: ids })
}

/** Indexes the tags of a chat; must be called in the transaction that wrote them. */
export async function indexTags(
  { tags }: Pick<ChatContext, 'tags'>,
  chat: Pick<ChatRow, 'id' | 'user_id' | 'tags'>,
): Promise<void> {
  await tags.replace(chat, tagsOf(chat.tags))
}

async function writeTags(
  context: ChatContext,
  chat: ChatRow,
  entries: readonly unknown[],
): Promise<ChatTag[]> {
  const tags = JSON.stringify(entries)
  await context.storage.transaction(async () => {
    await context.store.updateChat(chat.id, { tags, meta: metaWithTags(chat.meta, tags) })
    await indexTags(context, { ...chat, tags })
  })
  context.announce.listChanged(chat, 'tagged')
  return describe(chat.user_id, tagsOf(tags))
}

const entriesOf = (chat: ChatRow): unknown[] => JSON.parse(chat.tags) as unknown[]

/** Lists the tags on chats that are not in the trash, in short steps. */
export async function* listAllTags(
  { tags }: ChatContext,
  userId: string,
): AsyncGenerator<void, ChatTag[]> {
  return describe(userId, yield* tags.ofUser(userId))
}

export const listTags = async (
  context: ChatContext,
  userId: string,
  chatId: string,
): Promise<ChatTag[]> => describe(userId, tagsOf((await requireChat(context, userId, chatId)).tags))

export async function addTag(
  context: ChatContext,
  userId: string,
  { chatId, name }: { chatId: string; name: string },
): Promise<ChatTag[]> {
  const chat = await requireChat(context, userId, chatId)
  const id = toTagId(name)
  if (id === NO_TAG)
    throw badRequest('The search finds chats without tags by "none". Choose another name.')
  const entries = entriesOf(chat)
  if (entries.some((entry) => tagIdOf(entry) === id)) return describe(userId, tagsOf(chat.tags))
  if (entries.length >= MOST_TAGS) throw badRequest(`A chat can have ${MOST_TAGS} tags.`)
  return writeTags(context, chat, [...entries, name])
}

export async function removeTag(
  context: ChatContext,
  userId: string,
  { chatId, name }: { chatId: string; name: string },
): Promise<ChatTag[]> {
  const chat = await requireChat(context, userId, chatId)
  return writeTags(
    context,
    chat,
    entriesOf(chat).filter((entry) => tagIdOf(entry) !== toTagId(name)),
  )
}

export async function removeTags(
  context: ChatContext,
  userId: string,
  chatId: string,
): Promise<void> {
  await writeTags(context, await requireChat(context, userId, chatId), [])
}

/** Sets the tags of a chat, regardless of its owner; omits names that are no valid tags. */
export async function setTags(
  context: ChatContext,
  chatId: string,
  names: readonly string[],
): Promise<void> {
  const chat = await context.store.chat(chatId)
  if (chat) {
    await writeTags(
      context,
      chat,
      names.filter((name) => isTagName(name) && toTagId(name) !== NO_TAG).slice(0, MOST_TAGS),
    )
  }
}

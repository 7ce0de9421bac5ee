import type { ChatTag } from '#contract/chat-lists.ts'
import { badRequest } from '../../lib/errors.ts'
import { requireChat, type ChatContext } from '../chat-context.ts'
import type { ChatRow } from '../store.ts'
import {
  isTagName,
  MOST_TAGS,
  splitBodyTags,
  tagIdOf,
  tagsOf,
  toTagId,
  type TagName,
} from './tag-names.ts'

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
  { tags }: ChatContext,
  chat: Pick<ChatRow, 'id' | 'user_id' | 'tags'>,
): Promise<void> {
  await tags.replace(chat, tagsOf(chat.tags))
}

/**
 * Replaces the tags of a chat by what `toEntries` makes of them in the same transaction, because
 * another tab may be changing them; null changes nothing.
 */
async function changeTags(
  context: ChatContext,
  findChat: () => Promise<ChatRow>,
  toEntries: (entries: readonly unknown[]) => readonly unknown[] | null,
): Promise<ChatTag[]> {
  const { chat, isChanged } = await context.storage.transaction(async () => {
    const before = await findChat()
    const entries = toEntries(JSON.parse(before.tags) as unknown[])
    if (entries === null) return { chat: before, isChanged: false }
    const after = { ...before, tags: JSON.stringify(entries) }
    const { tags } = after
    await context.store.updateChat(before.id, {
      tags,
      meta: metaWithTags(before.meta, tags),
      extra: splitBodyTags(before.extra).others,
    })
    await indexTags(context, after)
    return { chat: after, isChanged: true }
  })
  if (isChanged) context.announce.listChanged(chat, 'tagged')
  return describe(chat.user_id, tagsOf(chat.tags))
}

/** Changes the tags of a chat of a user; throws 404 if there is none. */
const changeOwnTags = (
  context: ChatContext,
  userId: string,
  chatId: string,
  toEntries: (entries: readonly unknown[]) => readonly unknown[] | null,
): Promise<ChatTag[]> => changeTags(context, () => requireChat(context, userId, chatId), toEntries)

/** Lists the tags on chats that are not in the trash. */
export const listAllTags = async ({ tags }: ChatContext, userId: string): Promise<ChatTag[]> =>
  describe(userId, await tags.ofUser(userId))

export const listTags = async (
  context: ChatContext,
  userId: string,
  chatId: string,
): Promise<ChatTag[]> => describe(userId, tagsOf((await requireChat(context, userId, chatId)).tags))

export function addTag(
  context: ChatContext,
  userId: string,
  { chatId, name }: { chatId: string; name: string },
): Promise<ChatTag[]> {
  const id = toTagId(name)
  return changeOwnTags(context, userId, chatId, (entries) => {
    if (id === NO_TAG)
      throw badRequest('The search finds chats without tags by "none". Choose another name.')
    if (entries.some((entry) => tagIdOf(entry) === id)) return null
    if (entries.length >= MOST_TAGS) throw badRequest(`A chat can have ${MOST_TAGS} tags.`)
    return [...entries, name]
  })
}

export function removeTag(
  context: ChatContext,
  userId: string,
  { chatId, name }: { chatId: string; name: string },
): Promise<ChatTag[]> {
  return changeOwnTags(context, userId, chatId, (entries) =>
    entries.filter((entry) => tagIdOf(entry) !== toTagId(name)),
  )
}

export async function removeTags(
  context: ChatContext,
  userId: string,
  chatId: string,
): Promise<void> {
  await changeOwnTags(context, userId, chatId, () => [])
}

/** Sets the tags of a chat, regardless of its owner; omits names that are no valid tags. */
export async function setTags(
  context: ChatContext,
  chatId: string,
  names: readonly string[],
): Promise<void> {
  const tags = names.filter((name) => isTagName(name) && toTagId(name) !== NO_TAG)
  const chat = await context.store.chat(chatId)
  if (chat)
    await changeTags(
      context,
      async () => (await context.store.chat(chatId)) ?? chat,
      () => tags.slice(0, MOST_TAGS),
    )
}

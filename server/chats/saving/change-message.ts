import { conflict } from '../../lib/errors.ts'
import { nowSeconds } from '../../lib/ids.ts'
import { requireFit } from '../../lib/json/record-bounds.ts'
import { inGroups } from '../../lib/timing/in-groups.ts'
import { requireChat, requireMessage, type ChatContext } from '../chat-context.ts'
import type { ChatRow, ChatStore } from '../store.ts'
import type { MessageRow } from '../chat-rows.ts'

/** Maximum number of messages removed in one transaction. */
const REMOVED_AT_ONCE = 50

/** Replaces the text of a message. */
export async function replaceContent(
  context: ChatContext,
  userId: string,
  place: { chatId: string; messageId: string; content: string },
): Promise<ChatRow> {
  const { storage, store, search, announce } = context
  requireFit(place.content, 'The message', context.recordBounds())
  const saved = await storage.transaction(async () => {
    const chat = await requireChat(context, userId, place.chatId)
    const row = await requireMessage(context, chat.id, place.messageId)
    if (row.running === 1)
      throw conflict('This answer is still being written. Stop it first, then edit it.')
    const changed = { ...row, content: place.content, parts: null }
    await store.updateMessage(changed)
    await search.indexMessage(changed, userId)
    await store.touchChat(chat.id, nowSeconds(), chat.current_id)
    return { ...chat, updated_at: nowSeconds() }
  })
  announce.contentReplaced(saved, place.messageId, place.content)
  return saved
}

/**
 * Returns the current message of a chat after a message and its descendants are deleted: the
 * nearest sibling branch, else its parent.
 */
async function findNextCurrent(store: ChatStore, removed: MessageRow): Promise<string | null> {
  const { chat_id: chatId, parent_id: parentId } = removed
  const family =
    parentId === null ? await store.roots(chatId) : await store.children(chatId, [parentId])
  const place = family.findIndex((link) => link.id === removed.id)
  const beside = family[place - 1] ?? family[place + 1]
  return beside ? await store.newestLeaf(chatId, beside.id) : parentId
}

/**
 * Removes a message and all its descendants, in short steps; sibling branches stay. The last
 * messages are deleted first, so that the chat is consistent at every moment, and the rest after a
 * crash can be removed by the same call.
 */
export async function* removeMessage(
  context: ChatContext,
  userId: string,
  place: { chatId: string; messageId: string },
): AsyncGenerator<void, ChatRow> {
  const { storage, store, tasks, announce } = context
  const find = async (): Promise<{ before: ChatRow; row: MessageRow }> => {
    const before = await requireChat(context, userId, place.chatId)
    return { before, row: await requireMessage(context, before.id, place.messageId) }
  }
  const stopWriting = (ids: ReadonlySet<string>): void => {
    for (const task of tasks.ofChat(place.chatId))
      if (task.messageId !== null && ids.has(task.messageId)) tasks.stop(task.id, 'deleted')
  }
  /** Moves the chat to a remaining message when its current message is deleted. */
  const leave = async (
    { before, row }: Awaited<ReturnType<typeof find>>,
    ids: ReadonlySet<string>,
  ): Promise<ChatRow> => {
    const isCurrentGone = before.current_id === null || ids.has(before.current_id)
    const changed = {
      ...before,
      current_id: isCurrentGone ? await findNextCurrent(store, row) : before.current_id,
      updated_at: nowSeconds(),
    }
    await store.touchChat(before.id, changed.updated_at, changed.current_id)
    return changed
  }
  const { row } = await find()
  const removed = await store.descendants(place.chatId, row.id)
  const ids = new Set(removed.map(({ id }) => id))
  if (removed.length > REMOVED_AT_ONCE) {
    await storage.transaction(async () => leave(await find(), ids))
    stopWriting(ids)
    while (removed.length > REMOVED_AT_ONCE) {
      await storage.transaction(async () => {
        await find()
        const end = performance.now() + storage.pace.milliseconds
        do await store.deleteMessages(place.chatId, removed.splice(-storage.pace.rows).toReversed())
        while (removed.length > REMOVED_AT_ONCE && performance.now() < end)
      })
      yield
    }
  }
  const last = await storage.transaction(async () => {
    const found = await find()
    // Others may have been added meanwhile.
    const rest = await store.descendants(place.chatId, place.messageId)
    for (const { id } of rest) ids.add(id)
    const chat = await leave(found, ids)
    for (const links of inGroups(rest, storage.pace.rows))
      await store.deleteMessages(place.chatId, links)
    await store.forgetExpectations(place.chatId)
    return chat
  })
  stopWriting(ids)
  announce.listChanged(last, 'updated')
  return last
}

import { notFound } from '../../lib/errors.ts'
import { refreshRow, type ChatContext } from '../chat-context.ts'
import { renderChildren, renderMessage } from './render-chat.ts'
import type { ChatRow, ChatStore } from '../store.ts'
import type { LinkRow } from '../chat-rows.ts'

export interface BranchRequest {
  readonly through?: string
  readonly before?: string
  readonly limit: number
}

async function requireLink(store: ChatStore, chatId: string, id: string): Promise<LinkRow> {
  const link = await store.link(chatId, id)
  if (!link) throw notFound('This message is not in the chat.')
  return link
}

/**
 * Returns the end of the page: before a message, at the end of the branch through one, or at the
 * current message.
 */
async function findEnd(
  store: ChatStore,
  chat: ChatRow,
  { through, before }: BranchRequest,
): Promise<string | null> {
  if (before !== undefined) return (await requireLink(store, chat.id, before)).parent_id
  if (through !== undefined)
    return store.newestLeaf(chat.id, (await requireLink(store, chat.id, through)).id)
  return chat.current_id ?? (await store.newestRoot(chat.id))
}

/**
 * Reads one page of a branch as JSON text, oldest message first, with a fixed number of statements.
 */
export async function readBranch(
  context: ChatContext,
  chat: ChatRow,
  request: BranchRequest,
): Promise<string> {
  const { store, tasks } = context
  const end = await findEnd(store, chat, request)
  const rows = end === null ? [] : await store.climb(chat.id, end, request.limit)
  rows.reverse()
  const top = rows[0]
  const parentIds = rows.map((row) => row.id)
  if (top && top.parent_id !== null) parentIds.push(top.parent_id)
  const links = rows.length === 0 ? [] : await store.children(chat.id, parentIds)
  if (top?.parent_id === null) links.push(...(await store.roots(chat.id)))
  const children = renderChildren(links, [])
  const listed = renderChildren(
    links,
    rows.length === 0 ? [] : await store.expectedChildren(chat.id),
  )
  const messages = rows.map((row) =>
    renderMessage(
      refreshRow(context, row),
      listed.get(row.id) ?? '',
      children.get(row.parent_id) ?? '',
    ),
  )
  return (
    `{"chat_id":${JSON.stringify(chat.id)},"title":${JSON.stringify(chat.title)},"models":${chat.models}` +
    `,"currentId":${JSON.stringify(chat.current_id)},"pinned":${chat.pinned === 1},"params":${chat.params}` +
    `,"messages":[${messages.join(',')}],"before":${JSON.stringify(top && top.parent_id !== null ? top.id : null)}` +
    `,"task_ids":${JSON.stringify(tasks.ofChat(chat.id).map((task) => task.id))}}`
  )
}

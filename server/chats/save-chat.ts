import type { ChatBodyInput } from '#contract/chats.ts'
import { newId, nowSeconds } from '../lib/ids.ts'
import { requireChat, type ChatContext } from './chat-context.ts'
import { mergeMessages, type MergeOutcome } from './merge-messages.ts'
import { parseChatBody, type ChatChanges } from './parse-chat-body.ts'
import { requireFolder } from './folders/require-folder.ts'
import { requireUnedited } from './require-permitted.ts'
import type { ChatRow } from './store.ts'
import { indexTags, metaWithTags } from './tags/change-tags.ts'

const DEFAULT_TITLE = 'New Chat'

/** A chat after a write, with what was mended on the way. */
export interface SavedChat {
  readonly chat: ChatRow
  readonly repairs: string[]
}

/** What a chat can have beside its body when it is stored for the first time. */
export type NewChatRecord = Partial<
  Pick<ChatRow, 'folder_id' | 'pinned' | 'archived' | 'meta' | 'created_at' | 'updated_at' | 'last_read_at'>
>

const toTitle = (title: string | undefined): string | undefined => (title === '' ? DEFAULT_TITLE : title)

const mergeJson = (stored: string, sent: Record<string, unknown>): string | undefined =>
  Object.keys(sent).length === 0 ? undefined : JSON.stringify({ ...(JSON.parse(stored) as object), ...sent })

const toJson = (value: unknown): string | undefined => (value === undefined ? undefined : JSON.stringify(value))

/** The columns a body mentions. */
function toColumns(chat: Pick<ChatRow, 'extra' | 'history_extra' | 'meta'>, changes: ChatChanges): Partial<ChatRow> {
  const tags = toJson(changes.tags)
  const columns = {
    title: toTitle(changes.title),
    models: toJson(changes.models),
    params: toJson(changes.params),
    files: toJson(changes.files),
    tags,
    meta: tags === undefined ? undefined : metaWithTags(chat.meta, tags),
    timestamp: changes.timestamp,
    extra: mergeJson(chat.extra, changes.extra),
    history_extra: mergeJson(chat.history_extra, changes.historyExtra),
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

function toNewChat(userId: string, changes: ChatChanges, record: NewChatRecord): Omit<ChatRow, 'seq'> {
  const empty = { title: DEFAULT_TITLE, models: '[]', params: '{}', files: '[]', tags: '[]', extra: '{}', history_extra: '{}', meta: '{}' }
  return {
    id: newId(),
    user_id: userId,
    ...empty,
    timestamp: Date.now(),
    current_id: null,
    pinned: 0,
    archived: 0,
    share_id: null,
    folder_id: null,
    created_at: nowSeconds(),
    updated_at: nowSeconds(),
    deleted_at: null,
    last_read_at: null,
    ...record,
    ...toColumns({ ...empty, ...record }, changes),
  }
}

/** Stores a new chat with its messages, without telling anybody. Runs inside a transaction. */
export function insertChat(context: ChatContext, userId: string, body: ChatBodyInput, record: NewChatRecord = {}): SavedChat {
  const { store, search } = context
  const changes = parseChatBody(body, { isNew: true })
  const chat = store.insertChat(toNewChat(userId, changes, record))
  search.indexTitle(chat, userId)
  if (chat.tags !== '[]') indexTags(context, chat)
  const { currentId, repairs } = mergeMessages(context, chat, changes)
  store.touchChat(chat.id, chat.updated_at, currentId)
  return { chat: { ...chat, current_id: currentId }, repairs }
}

/** Stores a new chat with its messages. */
export function createChat(context: ChatContext, userId: string, body: ChatBodyInput, record: NewChatRecord = {}): SavedChat {
  const { storage, announce, backlog } = context
  const saved = storage.transaction(() => {
    if (typeof record.folder_id === 'string') requireFolder(context, userId, record.folder_id)
    return insertChat(context, userId, body, record)
  })
  backlog.wake()
  announce.listChanged(saved.chat, 'created')
  return saved
}

/** Writes what a body mentions. Runs inside a transaction. */
export function writeChanges(context: ChatContext, chat: ChatRow, changes: ChatChanges): { saved: SavedChat; merged: MergeOutcome } {
  const { store, search } = context
  const merged = mergeMessages(context, chat, changes)
  const columns = toColumns(chat, changes)
  const updated: ChatRow = { ...chat, ...columns, current_id: merged.currentId, updated_at: nowSeconds() }
  if (Object.keys(columns).length > 0) store.updateChat(chat.id, columns)
  store.touchChat(chat.id, updated.updated_at, updated.current_id)
  if (columns.tags !== undefined && columns.tags !== chat.tags) indexTags(context, updated)
  if (updated.title !== chat.title) search.indexTitle(updated, chat.user_id)
  return { saved: { chat: updated, repairs: merged.repairs }, merged }
}

/** Merges the sent parts into a chat, all of them or none. */
export function updateChat(
  context: ChatContext,
  userId: string,
  { chatId, mayEdit }: { chatId: string; mayEdit: boolean },
  body: ChatBodyInput,
): SavedChat {
  const { saved, merged, before } = context.storage.transaction(() => {
    const chat = requireChat(context, userId, chatId)
    const changes = parseChatBody(body, { isNew: false })
    if (!mayEdit) requireUnedited(context, chat, changes)
    return { before: chat, ...writeChanges(context, chat, changes) }
  })
  context.backlog.wake()
  if (saved.chat.title !== before.title) context.announce.renamed(saved.chat, saved.chat.title)
  context.announce.messagesCreated(saved.chat, merged.created)
  context.announce.listChanged(saved.chat, saved.chat.title === before.title ? 'updated' : 'renamed')
  return saved
}

/** Gives a chat another title without moving it in the list; whoever found the title announces it. */
export function renameChat(context: ChatContext, chatId: string, title: string): void {
  const { storage, store, search, announce } = context
  const chat = store.chat(chatId)
  if (!chat || chat.title === title) return
  storage.transaction(() => {
    store.updateChat(chatId, { title })
    search.indexTitle({ ...chat, title }, chat.user_id)
  })
  announce.listChanged(chat, 'renamed')
}

import { chatBodyInputSchema, type ChatBodyInput } from '#contract/chats.ts'
import { parseInput } from '../../lib/parse-input.ts'
import { nowSeconds } from '../../lib/ids.ts'
import type { ChatContext } from '../chat-context.ts'
import { parseChatBody } from '../parse-chat-body.ts'
import { insertChat, writeChanges, type NewChatRecord } from '../save-chat.ts'
import type { ChatRow } from '../store.ts'
import type { ArchiveChat, ChatSummary } from './archive-chat.ts'

export interface ImportOutcome {
  readonly outcome: 'created' | 'updated' | 'unchanged'
  readonly chatId: string
}

/** Whose archive it is and what it is called. */
export interface ImportPlace {
  readonly userId: string
  readonly source: string
}

interface Known {
  readonly chat: ChatRow
  /** Nothing happened to the chat in the archive since. */
  readonly isSame: boolean
}

/** The chat here that a chat of an archive is: one imported before, or for our own archive the very one. */
function findKnown({ store, imports }: ChatContext, place: ImportPlace, summary: ChatSummary): Known | null {
  const row = imports.find(place.userId, place.source, summary.key)
  const chat = store.chat(row?.chat_id ?? (place.source === 'own' ? summary.key : ''))
  if (!chat || chat.user_id !== place.userId || chat.deleted_at !== null) return null
  const isSame = row ? row.fingerprint === summary.fingerprint : chat.updated_at >= (summary.updated_at ?? 0)
  return { chat, isSame }
}

/** What an import would do with a chat. */
export function findState(context: ChatContext, place: ImportPlace, summary: ChatSummary): 'new' | 'changed' | 'known' {
  const known = findKnown(context, place, summary)
  if (!known) return 'new'
  return known.isSame ? 'known' : 'changed'
}

/** Checked against the schema, but handed on as it is: schemas leave out fields named `__proto__`. */
function checkBody(body: ChatBodyInput): ChatBodyInput {
  parseInput(chatBodyInputSchema, body, 'body')
  return body
}

/** Stores a chat of an archive as a new one. Runs inside a transaction. */
export function createFrom(context: ChatContext, userId: string, parsed: ArchiveChat, record: NewChatRecord): ChatRow {
  const created = parsed.created_at ?? parsed.updated_at ?? nowSeconds()
  const stored = {
    ...record,
    pinned: Number(parsed.pinned),
    archived: Number(parsed.archived),
    created_at: created,
    updated_at: parsed.updated_at ?? created,
  }
  return insertChat(context, userId, checkBody(parsed.body), stored).chat
}

/** Adds the messages a chat does not have yet; what a person did to it here stays. */
function addMissing(context: ChatContext, chat: ChatRow, parsed: ArchiveChat): boolean {
  const { store } = context
  const { history } = checkBody(parsed.body)
  const messages = Object.entries(history?.messages ?? {})
  const missing = messages.filter(([id]) => store.link(chat.id, id.toWellFormed()) === undefined)
  if (missing.length === 0) return false
  // Whoever went on here stays where they are.
  const isFollowing = chat.current_id === null || messages.some(([id]) => id === chat.current_id)
  const sent = { currentId: isFollowing ? history?.currentId : undefined, messages: Object.fromEntries(missing) }
  writeChanges(context, chat, parseChatBody({ history: sent }, { isNew: false }))
  store.updateChat(chat.id, { updated_at: Math.max(chat.updated_at, parsed.updated_at ?? nowSeconds()) })
  return true
}

/** Imports one chat of an archive, wholly or not at all. A second time changes nothing. */
export function importChat(
  context: ChatContext,
  place: ImportPlace,
  chat: { summary: ChatSummary; read: () => ArchiveChat; folderFor: (folder: string | null) => string | null },
): ImportOutcome {
  const { summary, read, folderFor } = chat
  return context.storage.transaction(() => {
    const known = findKnown(context, place, summary)
    if (known?.isSame) return { outcome: 'unchanged', chatId: known.chat.id }
    const parsed = read()
    const isChanged = known ? addMissing(context, known.chat, parsed) : true
    const stored = known?.chat ?? createFrom(context, place.userId, parsed, { folder_id: folderFor(parsed.folder) })
    context.imports.save({
      user_id: place.userId,
      source: place.source,
      external_id: summary.key,
      chat_id: stored.id,
      fingerprint: summary.fingerprint,
      imported_at: nowSeconds(),
    })
    if (!known) return { outcome: 'created', chatId: stored.id }
    return { outcome: isChanged ? 'updated' : 'unchanged', chatId: stored.id }
  })
}

import type { LinkPlan } from './link-resolution.ts'
import { differs, overlayRow, toNewRow } from './message-row.ts'
import { orderNew } from './order-new.ts'
import type { ChatChanges } from './parse-chat-body.ts'
import type { MentionedMessage } from './parse-message.ts'
import { resolveLinks } from './resolve-links.ts'
import type { ChatSearch } from './search/index.ts'
import type { ChatRow, ChatStore, MessageRow } from './store.ts'

export interface ChatParts {
  readonly store: ChatStore
  readonly search: ChatSearch
}

/** What a merge did to the tree. */
export interface MergeOutcome {
  /** New messages, parents before their children. */
  readonly created: MessageRow[]
  readonly currentId: string | null
  readonly repairs: string[]
}

/** One merge under way. */
interface Merge extends ChatParts {
  readonly chat: ChatRow
  /** Nothing was stored before, so that nothing has to be looked up. */
  readonly isEmpty: boolean
  readonly mentioned: ReadonlyMap<string, MentionedMessage>
  /** The mentioned messages that are stored already. */
  readonly rows: ReadonlyMap<string, MessageRow>
  readonly plan: LinkPlan
  readonly repairs: string[]
}

/** Merges the mentioned messages into the tree of a chat; work grows with what is mentioned. Runs inside a transaction. */
export function mergeMessages(parts: ChatParts, chat: ChatRow, changes: ChatChanges): MergeOutcome {
  const repairs = [...changes.repairs]
  const isEmpty = parts.store.newestRoot(chat.id) === null
  const { mentioned, rows } = isEmpty
    ? { mentioned: changes.messages, rows: new Map<string, MessageRow>() }
    : findStored(parts.store, chat.id, changes)
  const stored = {
    parentOf: (id: string) => (isEmpty ? undefined : (rows.get(id) ?? parts.store.link(chat.id, id))?.parent_id),
    expectedBy: (id: string) => (isEmpty ? null : parts.store.expectedBy(chat.id, id)),
    currentId: chat.current_id,
  }
  const merge: Merge = { ...parts, chat, isEmpty, mentioned, rows, repairs, plan: resolveLinks(mentioned, stored, repairs) }
  updateStored(merge)
  moveUnmentioned(merge)
  const created = insertNew(merge)
  return { created, repairs, currentId: chooseCurrent(merge, changes, created) }
}

function findStored(store: ChatStore, chatId: string, { messages, flatOnly }: ChatChanges): Pick<Merge, 'mentioned' | 'rows'> {
  const mentioned = new Map(messages)
  const rows = new Map<string, MessageRow>()
  for (const id of messages.keys()) {
    const row = store.message(chatId, id)
    if (row && flatOnly.has(id)) mentioned.delete(id)
    else if (row) rows.set(id, row)
  }
  return { mentioned, rows }
}

function updateStored({ store, search, chat, mentioned, rows, plan, repairs }: Merge): void {
  for (const [id, row] of rows) {
    const message = mentioned.get(id)!
    if (row.running === 1 && message.content !== undefined && message.content !== row.content) {
      repairs.push(`The answer ${JSON.stringify(id)} is being written; its text was left alone.`)
    }
    const merged = overlayRow(row, message, plan.parents.has(id) ? plan.parents.get(id)! : row.parent_id)
    if (!differs(row, merged)) continue
    store.updateMessage(merged)
    if (merged.content !== row.content) search.indexMessage(merged, chat.user_id)
  }
}

/** Stored roots that a mentioned message lists as its children. */
function moveUnmentioned({ store, chat, mentioned, plan }: Merge): void {
  for (const [id, parentId] of plan.parents) {
    const row = mentioned.has(id) ? undefined : store.message(chat.id, id)
    if (row) store.updateMessage({ ...row, parent_id: parentId })
  }
}

/** More new messages than this are indexed after the commit, so that others are not held up. */
const INDEX_AT_ONCE = 200

function insertNew({ store, search, chat, isEmpty, mentioned, rows, plan }: Merge): MessageRow[] {
  const added = [...mentioned.values()].filter((message) => !rows.has(message.id))
  const isMuch = added.length > INDEX_AT_ONCE
  if (isMuch) search.indexLater(chat.id)
  const created = orderNew(added, mentioned, plan).map((message) => {
    const row = toNewRow(chat.id, message, plan.parents.get(message.id) ?? null)
    const stored: MessageRow = { seq: store.insertMessage(row), ...row }
    if (!isEmpty) store.childArrived(chat.id, row.id)
    if (!isMuch) search.indexMessage(stored, chat.user_id)
    return stored
  })
  for (const { parentId, childId } of plan.expected) store.expectChild(chat.id, parentId, childId)
  return created
}

/** The message the chat stands at: the one named if it is there, else the stored one, else the newest. */
function chooseCurrent(
  { store, chat, repairs }: Merge,
  { currentId, lastOfList }: ChatChanges,
  created: readonly MessageRow[],
): string | null {
  const newest = created.at(-1)?.id ?? null
  if (typeof currentId === 'string') {
    if (store.link(chat.id, currentId)) return currentId
    const fallback = chat.current_id ?? newest
    repairs.push(`The current message ${JSON.stringify(currentId)} is not in this chat; it stands at ${JSON.stringify(fallback)}.`)
    return fallback
  }
  if (lastOfList !== null && created.some((row) => row.id === lastOfList)) return lastOfList
  if (chat.current_id !== null || newest === null) return chat.current_id
  repairs.push(`No current message was named; the chat stands at ${JSON.stringify(newest)}.`)
  return newest
}

import { nowSeconds } from '../lib/ids.ts'
import type { ChatChanges } from './parse-chat-body.ts'
import type { MentionedMessage } from './parse-message.ts'
import type { LinkPlan } from './link-resolution.ts'
import { resolveLinks } from './resolve-links.ts'
import type { ChatSearch } from './search/index.ts'
import type { ChatRow, ChatStore, MessageRow, NewMessageRow } from './store.ts'

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

const toFlag = (value: boolean | undefined): number | null => (value === undefined ? null : Number(value))

function toNewRow(chatId: string, message: MentionedMessage, parentId: string | null): NewMessageRow {
  const hasModel = message.model !== undefined || message.extra['modelName'] !== undefined
  return {
    chat_id: chatId,
    id: message.id,
    parent_id: parentId,
    role: message.role ?? (hasModel ? 'assistant' : 'user'),
    content: message.content ?? '',
    parts: message.parts ?? null,
    reasoning_content: message.reasoning_content ?? null,
    model: message.model ?? null,
    done: toFlag(message.done),
    running: 0,
    timestamp: message.timestamp ?? nowSeconds(),
    extra: JSON.stringify(message.extra),
  }
}

/** The stored message with the mentioned fields laid over it. While the gateway writes an answer, its text is the gateway's. */
function overlay(row: MessageRow, message: MentionedMessage, parentId: string | null): MessageRow {
  const isRunning = row.running === 1
  const hasContent = message.content !== undefined && !isRunning
  const hasReasoning = message.reasoning_content !== undefined && !isRunning
  const hasExtra = Object.keys(message.extra).length > 0
  return {
    ...row,
    parent_id: parentId,
    role: message.role ?? row.role,
    content: hasContent ? message.content! : row.content,
    parts: hasContent ? (message.parts ?? null) : row.parts,
    reasoning_content: hasReasoning ? message.reasoning_content! : row.reasoning_content,
    model: message.model ?? row.model,
    done: message.done === undefined || isRunning ? row.done : toFlag(message.done),
    timestamp: message.timestamp ?? row.timestamp,
    extra: hasExtra ? JSON.stringify({ ...(JSON.parse(row.extra) as object), ...message.extra }) : row.extra,
  }
}

const differs = (one: MessageRow, other: MessageRow): boolean =>
  (Object.keys(one) as (keyof MessageRow)[]).some((column) => one[column] !== other[column])

/** New messages with parents before children and siblings in the order their parent lists them. */
function orderNew(
  added: readonly MentionedMessage[],
  mentioned: ReadonlyMap<string, MentionedMessage>,
  plan: LinkPlan,
): MentionedMessage[] {
  const isNew = new Set(added.map((message) => message.id))
  const byParent = Map.groupBy(added, (message) => plan.parents.get(message.id) ?? null)
  for (const [parentId, siblings] of byParent) {
    const listed = parentId === null ? undefined : mentioned.get(parentId)?.childrenIds
    if (!listed || siblings.length < 2) continue
    const place = new Map(listed.map((id, index) => [id, index]))
    siblings.sort((one, other) => (place.get(one.id) ?? listed.length) - (place.get(other.id) ?? listed.length))
  }
  const ordered: MentionedMessage[] = []
  const stack = [...byParent].flatMap(([parentId, siblings]) => (parentId !== null && isNew.has(parentId) ? [] : siblings)).reverse()
  for (let message = stack.pop(); message; message = stack.pop()) {
    ordered.push(message)
    for (const child of byParent.get(message.id)?.toReversed() ?? []) stack.push(child)
  }
  return ordered
}

function chooseCurrent(
  chat: ChatRow,
  changes: ChatChanges,
  outcome: { created: MessageRow[]; isKnown: (id: string) => boolean; repairs: string[] },
): string | null {
  const { currentId, lastOfList } = changes
  const newest = outcome.created.at(-1)?.id ?? null
  if (typeof currentId === 'string') {
    if (outcome.isKnown(currentId)) return currentId
    const fallback = chat.current_id ?? newest
    outcome.repairs.push(`The current message ${JSON.stringify(currentId)} is not in this chat; ${JSON.stringify(fallback)} stays current.`)
    return fallback
  }
  if (lastOfList !== null && outcome.created.some((row) => row.id === lastOfList)) return lastOfList
  if (chat.current_id !== null || newest === null) return chat.current_id
  outcome.repairs.push(`No current message was named; it is ${JSON.stringify(newest)} now.`)
  return newest
}

/** Merges the mentioned messages into the tree of a chat; work grows with what is mentioned. Runs inside a transaction. */
export function mergeMessages({ store, search }: ChatParts, chat: ChatRow, changes: ChatChanges): MergeOutcome {
  const repairs = [...changes.repairs]
  const rows = new Map<string, MessageRow>()
  const mentioned = new Map(changes.messages)
  for (const id of changes.messages.keys()) {
    const row = store.message(chat.id, id)
    if (row && changes.flatOnly.has(id)) mentioned.delete(id)
    else if (row) rows.set(id, row)
  }
  const plan = resolveLinks(
    mentioned,
    {
      parentOf: (id) => (rows.get(id) ?? store.link(chat.id, id))?.parent_id,
      expectedBy: (id) => store.expectedBy(chat.id, id),
      currentId: chat.current_id,
    },
    repairs,
  )

  const changed = [...mentioned.values()].filter((message) => rows.has(message.id))
  for (const message of changed) {
    const row = rows.get(message.id)!
    if (row.running === 1 && message.content !== undefined && message.content !== row.content) {
      repairs.push(`The answer ${JSON.stringify(row.id)} is being written; its text was left alone.`)
    }
    const merged = overlay(row, message, plan.parents.has(row.id) ? plan.parents.get(row.id)! : row.parent_id)
    if (!differs(row, merged)) continue
    store.updateMessage(merged)
    if (merged.content !== row.content) search.indexMessage(merged, chat.user_id)
  }
  moveUnmentioned(store, chat.id, { plan, mentioned })
  const added = orderNew(
    [...mentioned.values()].filter((message) => !rows.has(message.id)),
    mentioned,
    plan,
  )
  const created = added.map((message) => {
    const row = toNewRow(chat.id, message, plan.parents.get(message.id) ?? null)
    const stored: MessageRow = { seq: store.insertMessage(row), ...row }
    store.childArrived(chat.id, row.id)
    search.indexMessage(stored, chat.user_id)
    return stored
  })
  for (const { parentId, childId } of plan.expected) store.expectChild(chat.id, parentId, childId)
  const isKnown = (id: string): boolean => mentioned.has(id) || store.link(chat.id, id) !== undefined
  return { created, repairs, currentId: chooseCurrent(chat, changes, { created, isKnown, repairs }) }
}

/** Stored roots that a mentioned message lists as its children. */
function moveUnmentioned(
  store: ChatStore,
  chatId: string,
  { plan, mentioned }: { plan: LinkPlan; mentioned: ReadonlyMap<string, unknown> },
): void {
  for (const [id, parentId] of plan.parents) {
    if (mentioned.has(id)) continue
    const row = store.message(chatId, id)
    if (row) store.updateMessage({ ...row, parent_id: parentId })
  }
}

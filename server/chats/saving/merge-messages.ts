import { mapInOrder } from '../../lib/in-order.ts'
import { SHORT_TEXT } from '../../lib/text/index-text.ts'
import { eachAwaitedInSteps, eachInSteps, ONE_IN_A_STEP, finishSteps } from '../../lib/turns.ts'
import type { LinkPlan } from './link-resolution.ts'
import { differs, overlayRow, toNewRow } from '../message-row.ts'
import { orderNew } from './order-new.ts'
import type { ChatChanges } from './parse-chat-body.ts'
import type { MentionedMessage } from './parse-message.ts'
import { resolveLinks } from './resolve-links.ts'
import type { ChatSearch } from '../search/index.ts'
import type { ChatRow, ChatStore } from '../store.ts'
import type { MessageRow, NewMessageRow } from '../chat-rows.ts'

export interface ChatParts {
  readonly store: ChatStore
  readonly search: ChatSearch
}

/** Changes made to the tree by a merge. */
export interface MergeOutcome {
  /** New messages, parents before their children. */
  readonly created: MessageRow[]
  readonly currentId: string | null
  readonly repairs: string[]
}

/** All writes of a merge, precomputed. */
export interface MergePlan {
  /** True if nothing was stored before. */
  readonly isEmpty: boolean
  /** The mentioned messages that are stored, as they were. */
  readonly stored: ReadonlyMap<string, MessageRow>
  /** New state of the stored messages that change. */
  readonly changed: MessageRow[]
  /** New messages, parents before their children. */
  readonly created: readonly NewMessageRow[]
  readonly expected: LinkPlan['expected']
  readonly currentId: string | null
  readonly repairs: string[]
}

/** The chat of a merge; one that is not stored yet has no messages. */
export type MergedChat = Pick<ChatRow, 'id' | 'current_id'>

/** State while a merge is planned. */
interface Planning {
  readonly store: ChatStore
  readonly chat: MergedChat
  readonly mentioned: ReadonlyMap<string, MentionedMessage>
  /** The mentioned messages that are stored already. */
  readonly rows: ReadonlyMap<string, MessageRow>
  readonly links: LinkPlan
  readonly repairs: string[]
}

/** Merges the mentioned messages into the tree of a chat at once. Runs inside a transaction. */
export async function mergeMessages(
  parts: ChatParts,
  chat: ChatRow,
  changes: ChatChanges,
): Promise<MergeOutcome> {
  return writeMerge(parts, chat, await finishSteps(planMerge(parts.store, chat, changes)))
}

/**
 * Plans the writes of a merge, in short steps; the effort grows with the number of mentioned
 * messages. Valid until the messages of the chat are changed by another writer.
 */
export async function* planMerge(
  store: ChatStore,
  chat: MergedChat,
  changes: ChatChanges,
): AsyncGenerator<void, MergePlan> {
  const repairs = [...changes.repairs]
  const isEmpty = (await store.newestRoot(chat.id)) === null
  const { mentioned, rows } = isEmpty
    ? { mentioned: changes.messages, rows: new Map<string, MessageRow>() }
    : yield* findStored(store, chat.id, changes)
  const stored = {
    parentOf: async (id: string) => {
      // For mentioned messages it is already known whether they are stored.
      if (isEmpty || mentioned.has(id)) return rows.get(id)?.parent_id
      return (await store.link(chat.id, id))?.parent_id
    },
    expectedBy: async (id: string) => (isEmpty ? null : await store.expectedBy(chat.id, id)),
    currentId: chat.current_id,
  }
  const links = yield* resolveLinks(mentioned, stored, repairs)
  const planning: Planning = { store, chat, mentioned, rows, links, repairs }
  const changed = [...(yield* changeStored(planning)), ...(yield* moveUnmentioned(planning))]
  const created = yield* makeNew(planning)
  const currentId = await chooseCurrent(planning, changes, created)
  return { isEmpty, stored: rows, changed, created, expected: links.expected, currentId, repairs }
}

async function* findStored(
  store: ChatStore,
  chatId: string,
  { messages, flatOnly }: ChatChanges,
): AsyncGenerator<void, Pick<Planning, 'mentioned' | 'rows'>> {
  const mentioned = new Map<string, MentionedMessage>()
  const rows = new Map<string, MessageRow>()
  yield* eachAwaitedInSteps(messages, async ([id, message]) => {
    const row = await store.message(chatId, id)
    if (row && flatOnly.has(id)) return
    mentioned.set(id, message)
    if (row) rows.set(id, row)
  })
  return { mentioned, rows }
}

function* changeStored({
  mentioned,
  rows,
  links,
  repairs,
}: Planning): Generator<void, MessageRow[]> {
  const changed: MessageRow[] = []
  yield* eachInSteps(
    rows,
    ([id, row]) => {
      const message = mentioned.get(id)!
      if (row.running === 1 && message.content !== undefined && message.content !== row.content) {
        repairs.push(`The answer ${JSON.stringify(id)} is being written; its text was left alone.`)
      }
      const merged = overlayRow(
        row,
        message,
        links.parents.has(id) ? links.parents.get(id)! : row.parent_id,
      )
      if (differs(row, merged)) changed.push(merged)
    },
    ONE_IN_A_STEP,
  )
  return changed
}

/** Moves stored roots that a mentioned message lists as its children. */
async function* moveUnmentioned({
  store,
  chat,
  mentioned,
  links,
}: Planning): AsyncGenerator<void, MessageRow[]> {
  const moved: MessageRow[] = []
  yield* eachAwaitedInSteps(links.parents, async ([id, parentId]) => {
    const row = mentioned.has(id) ? undefined : await store.message(chat.id, id)
    if (row) moved.push({ ...row, parent_id: parentId })
  })
  return moved
}

function* makeNew({ chat, mentioned, rows, links }: Planning): Generator<void, NewMessageRow[]> {
  const added = new Map<string, MentionedMessage>()
  yield* eachInSteps(mentioned, ([id, message]) => {
    if (!rows.has(id)) added.set(id, message)
  })
  const created: NewMessageRow[] = []
  yield* eachInSteps(
    yield* orderNew(added, mentioned, links),
    (message) => {
      created.push(toNewRow(chat.id, message, links.parents.get(message.id) ?? null))
    },
    ONE_IN_A_STEP,
  )
  return created
}

/**
 * Chooses the current message of the chat: the given one if it exists, else the stored one, else
 * the newest.
 */
async function chooseCurrent(
  { store, chat, mentioned, repairs }: Planning,
  { currentId, lastOfList }: ChatChanges,
  created: readonly NewMessageRow[],
): Promise<string | null> {
  const newest = created.at(-1)?.id ?? null
  if (typeof currentId === 'string') {
    if (mentioned.has(currentId) || (await store.link(chat.id, currentId))) return currentId
    const fallback = chat.current_id ?? newest
    repairs.push(
      `The current message ${JSON.stringify(currentId)} is not in this chat; it stands at ${JSON.stringify(fallback)}.`,
    )
    return fallback
  }
  if (lastOfList !== null && created.some((row) => row.id === lastOfList)) return lastOfList
  if (chat.current_id !== null || newest === null) return chat.current_id
  repairs.push(`No current message was named; the chat stands at ${JSON.stringify(newest)}.`)
  return newest
}

/**
 * More messages or characters than these are indexed after the commit, so that other requests are
 * not delayed.
 */
const INDEX_AT_ONCE = { messages: 200, characters: SHORT_TEXT }

export const isMuchText = (rows: readonly Pick<MessageRow, 'content'>[]): boolean =>
  rows.length > INDEX_AT_ONCE.messages ||
  rows.reduce((sum, { content }) => sum + content.length, 0) > INDEX_AT_ONCE.characters

/** Writes a plan. Runs inside a transaction. */
export async function writeMerge(
  { store, search }: ChatParts,
  chat: Pick<ChatRow, 'id' | 'user_id'>,
  plan: MergePlan,
): Promise<MergeOutcome> {
  const texts: MessageRow[] = []
  for (const row of plan.changed) {
    const stored = plan.stored.get(row.id)
    if (stored?.parent_id === row.parent_id) await store.updateInPlace(row)
    else await store.updateMessage(row)
    if (stored && stored.content !== row.content) texts.push(row)
  }
  if (isMuchText(texts)) await search.backlog.noteChangedTexts(texts.map(({ seq }) => seq))
  else for (const row of texts) await search.indexMessage(row, chat.user_id)
  const isMuch = isMuchText(plan.created)
  if (isMuch) await search.backlog.addToBacklog(chat.id)
  const seqs = await store.insertMessages(plan.created)
  const created = await mapInOrder(plan.created, async (row, place) => {
    const stored: MessageRow = { seq: seqs[place]!, ...row }
    if (!plan.isEmpty) await store.childArrived(chat.id, row.id)
    return stored
  })
  if (!isMuch) await search.indexMessages(created, chat.user_id)
  for (const { parentId, childId } of plan.expected)
    await store.expectChild(chat.id, parentId, childId)
  return { created, repairs: plan.repairs, currentId: plan.currentId }
}

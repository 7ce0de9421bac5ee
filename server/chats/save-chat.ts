import type { ChatBodyInput } from '#contract/chats.ts'
import { notFound, tooLarge, unauthorized } from '../lib/errors.ts'
import { newId, nowSeconds } from '../lib/ids.ts'
import { finishSteps, runInTurns } from '../lib/turns.ts'
import { inGroups } from '../lib/in-groups.ts'
import type { Storage } from '../storage/index.ts'
import { requireChat, type ChatContext } from './chat-context.ts'
import { isMuchText, planMerge, writeMerge, type MergePlan } from './merge-messages.ts'
import type { MessageWatch } from './message-watches.ts'
import { parseChatBody, type ChatChanges } from './parse-chat-body.ts'
import type { MentionedMessage } from './parse-message.ts'
import { requireFolder } from './folders/require-folder.ts'
import { requireUnedited } from './require-permitted.ts'
import { UNFINISHED, type ChatRow, type ChatStore } from './store.ts'
import type { MessageRow } from './chat-rows.ts'
import { indexTags, metaWithTags } from './tags/change-tags.ts'

const DEFAULT_TITLE = 'New Chat'

/** A chat after a write, with what was mended on the way. */
export interface SavedChat {
  readonly chat: ChatRow
  readonly repairs: string[]
}

/** What a chat can have beside its body when it is stored for the first time. */
export type NewChatRecord = Partial<
  Pick<
    ChatRow,
    'folder_id' | 'pinned' | 'archived' | 'meta' | 'created_at' | 'updated_at' | 'last_read_at'
  >
>

const toTitle = (title: string | undefined): string | undefined =>
  title === '' ? DEFAULT_TITLE : title

const mergeJson = (stored: string, sent: Record<string, unknown>): string | undefined =>
  Object.keys(sent).length === 0
    ? undefined
    : JSON.stringify({ ...(JSON.parse(stored) as object), ...sent })

const toJson = (value: unknown): string | undefined =>
  value === undefined ? undefined : JSON.stringify(value)

/** The columns a body mentions. */
function toColumns(
  chat: Pick<ChatRow, 'extra' | 'history_extra' | 'meta'>,
  changes: ChatChanges,
): Partial<ChatRow> {
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

function toNewChat(
  userId: string,
  changes: ChatChanges,
  record: NewChatRecord,
): Omit<ChatRow, 'seq'> {
  const empty = {
    title: DEFAULT_TITLE,
    models: '[]',
    params: '{}',
    files: '[]',
    tags: '[]',
    extra: '{}',
    history_extra: '{}',
    meta: '{}',
  }
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

/** What a write of a new chat does beside it, in the transaction that lets it be seen. */
export interface NewChatOptions {
  /** What the chat has beside its body. */
  readonly record?: () => Promise<NewChatRecord>
  readonly onStored?: (chat: ChatRow) => Promise<void>
}

/** More new messages than this are stored in several transactions, before anybody sees the chat. */
const STORE_AT_ONCE = 200

/**
 * Stores a new chat with its messages, without telling anybody, in short steps; it is there with
 * all of them or not at all.
 */
export async function* storeNewChat(
  context: ChatContext,
  userId: string,
  body: ChatBodyInput,
  { record = async () => ({}), onStored = async () => undefined }: NewChatOptions = {},
): AsyncGenerator<void, SavedChat> {
  const { storage, store, search, trash } = context
  const changes = yield* parseChatBody(body, { isNew: true, bounds: context.recordBounds() })
  const row = toNewChat(userId, changes, {})
  const plan = yield* planMerge(store, row, changes)
  const isMuch =
    plan.created.length > STORE_AT_ONCE ||
    plan.expected.length > STORE_AT_ONCE ||
    isMuchText(plan.created)
  const finish = (write: (final: Omit<ChatRow, 'seq'>) => Promise<ChatRow>): Promise<SavedChat> =>
    storage.transaction(async () => {
      const chat = await write({
        ...toNewChat(userId, changes, await record()),
        id: row.id,
        current_id: plan.currentId,
      })
      await search.indexTitle(chat, userId)
      if (chat.tags !== '[]') await indexTags(context, chat)
      await onStored(chat)
      return { chat, repairs: plan.repairs }
    })
  if (!isMuch) {
    return await finish(async (final) => {
      const chat = await store.insertChat(final)
      await writeMerge(context, chat, plan)
      return chat
    })
  }
  try {
    yield* storeUnseen(context, row, plan)
    return await finish((final) => showUnseen(context, final))
  } catch (error) {
    await trash.giveUp(row.id)
    throw error
  }
}

/**
 * The messages of a chat that nobody sees yet; what a kill leaves of it is erased with the trash.
 */
async function* storeUnseen(
  { storage, store, search }: ChatContext,
  row: Omit<ChatRow, 'seq'>,
  plan: MergePlan,
): AsyncGenerator<void, void> {
  await storage.transaction(async () => {
    await store.insertChat({ ...row, deleted_at: UNFINISHED })
    await search.indexLater(row.id)
  })
  yield* inTransactions(
    storage,
    inGroups(plan.created, storage.pace.rows),
    async (messages) => void (await store.insertMessages(messages)),
  )
  yield* inTransactions(storage, plan.expected, ({ parentId, childId }) =>
    store.expectChild(row.id, parentId, childId),
  )
}

/** Does something with each value, in transactions that are as short as a slice. */
async function* inTransactions<Value>(
  storage: Storage,
  values: readonly Value[],
  write: (value: Value) => Promise<void>,
): AsyncGenerator<void, void> {
  let next = 0
  while (next < values.length) {
    await storage.transaction(async () => {
      const end = performance.now() + storage.pace.milliseconds
      do await write(values[next++]!)
      while (next < values.length && performance.now() < end)
    })
    yield
  }
}

/**
 * Lets a chat be seen whose messages are all stored; 404 when it was erased meanwhile, 401 when its
 * owner was.
 */
export function showUnseen(
  { storage, store }: ChatContext,
  final: Omit<ChatRow, 'seq'>,
): Promise<ChatRow> {
  return storage.transaction(async () => {
    // A new row would be refused by the database, as its owner was deleted meanwhile.
    if (!(await store.hasOwner(final.user_id))) throw unauthorized('This account no longer exists.')
    const unseen = await store.chat(final.id)
    if (unseen?.deleted_at !== UNFINISHED) throw notFound('This chat no longer exists.')
    await store.updateChat(final.id, final)
    return { ...final, seq: unseen.seq }
  })
}

/** Stores a new chat with its messages, in short steps. */
export async function* createChat(
  context: ChatContext,
  userId: string,
  body: ChatBodyInput,
  record: NewChatRecord = {},
): AsyncGenerator<void, SavedChat> {
  const checked = async (): Promise<NewChatRecord> => {
    if (typeof record.folder_id === 'string') await requireFolder(context, userId, record.folder_id)
    return record
  }
  await checked()
  const saved = yield* storeNewChat(context, userId, body, { record: checked })
  await context.backlog.wake()
  context.announce.listChanged(saved.chat, 'created')
  return saved
}

/** What a write to a chat did. */
export interface ChatWrite {
  readonly before: ChatRow
  readonly saved: SavedChat
  readonly created: readonly MessageRow[]
}

/** How a chat that is written to is found, and what else is done in the transaction. */
export interface ChangeOptions {
  /** Throws when the chat is not there. */
  readonly find: () => Promise<ChatRow>
  /** Throws when the changes are not permitted. */
  readonly check?: (plan: MergePlan) => void
  readonly onStored?: (chat: ChatRow) => Promise<void>
}

/** After so many tries to plan beside other writers the plan is made within the transaction. */
const MOST_TRIES = 3

/**
 * Writes what a body mentions, all of it or nothing. It is got ready in short steps, others being
 * served in between.
 */
export async function* changeChat(
  context: ChatContext,
  changes: ChatChanges,
  options: ChangeOptions,
): AsyncGenerator<void, ChatWrite> {
  const { storage, store } = context
  if (storage.engine === 'postgres') return changeInTransaction(context, changes, options)
  for (let tries = 1; ; tries += 1) {
    const planned = await options.find()
    const watch = store.watch(planned.id)
    try {
      const plan = yield* planMerge(store, planned, changes)
      const written = await storage.transaction(async () => {
        const chat = await options.find()
        if (chat.current_id === planned.current_id && (await takeGrowth(store, plan, watch)))
          return writeChanges(context, chat, { changes, plan, ...options })
        if (tries < MOST_TRIES) return null
        return writeChanges(context, chat, {
          changes,
          plan: await finishSteps(planMerge(store, chat, changes)),
          ...options,
        })
      })
      if (written) return written
    } finally {
      watch.end()
    }
  }
}

/**
 * Plans and writes in one transaction, since nobody notes here what other gateways write meanwhile.
 * Others go on beside a transaction of PostgreSQL, so that it may take its turns.
 */
function changeInTransaction(
  context: ChatContext,
  changes: ChatChanges,
  options: ChangeOptions,
): Promise<ChatWrite> {
  const { storage, store } = context
  return storage.transaction(async () => {
    const chat = await options.find()
    const plan = await runInTurns(planMerge(store, chat, changes))
    return writeChanges(context, chat, { changes, plan, ...options })
  })
}

/**
 * Puts the text of growing answers into a plan as it is now; false when the plan does not hold any
 * more.
 */
async function takeGrowth(
  store: ChatStore,
  plan: MergePlan,
  { isOutdated, grown }: MessageWatch,
): Promise<boolean> {
  if (isOutdated) return false
  for (const [index, row] of grown.size === 0 ? [] : plan.changed.entries()) {
    if (!grown.has(row.id)) continue
    const now = await store.message(row.chat_id, row.id)
    if (now?.running !== 1) return false
    plan.changed[index] = {
      ...row,
      content: now.content,
      parts: now.parts,
      reasoning_content: now.reasoning_content,
    }
  }
  return true
}

/** What people note on messages; it is nothing new in the conversation. */
const MARKS: ReadonlySet<string> = new Set(['annotation', 'favorite', 'feedbackId'])

const isMark = ({ id: _id, extra, ...rest }: MentionedMessage): boolean =>
  Object.values(rest).every((value) => value === undefined) &&
  Object.keys(extra).every((name) => MARKS.has(name))

/** Whether a change only rates or stars messages, which leaves the chat in its place in lists. */
const isMarking = ({ messages, currentId }: ChatChanges, { created }: MergePlan): boolean =>
  messages.size > 0 &&
  currentId === undefined &&
  created.length === 0 &&
  [...messages.values()].every(isMark)

async function writeChanges(
  context: ChatContext,
  chat: ChatRow,
  {
    changes,
    plan,
    check,
    onStored,
  }: { changes: ChatChanges; plan: MergePlan } & Omit<ChangeOptions, 'find'>,
): Promise<ChatWrite> {
  const { store, search } = context
  check?.(plan)
  const merged = await writeMerge(context, chat, plan)
  const columns = toColumns(chat, changes)
  const isStill = Object.keys(columns).length === 0 && isMarking(changes, plan)
  const updated: ChatRow = {
    ...chat,
    ...columns,
    current_id: merged.currentId,
    updated_at: isStill ? chat.updated_at : nowSeconds(),
  }
  if (Object.keys(columns).length > 0) await store.updateChat(chat.id, columns)
  await store.touchChat(chat.id, updated.updated_at, updated.current_id)
  if (columns.tags !== undefined && columns.tags !== chat.tags) await indexTags(context, updated)
  if (updated.title !== chat.title) await search.indexTitle(updated, chat.user_id)
  await onStored?.(updated)
  return {
    before: chat,
    saved: { chat: updated, repairs: merged.repairs },
    created: merged.created,
  }
}

/** All changes of a save are one transaction, during which nobody else is served. */
function requireFewChanges({ mostChanges }: ChatContext, { changed, created }: MergePlan): void {
  const [count, most] = [changed.length + created.length, mostChanges()]
  if (count <= most) return
  throw tooLarge(
    `This changes or adds ${count} messages of a stored chat; one call may change ${most} (CHAT_SAVE_MAX_CHANGES). Send them in several calls.`,
  )
}

/** Merges the sent parts into a chat, all of them or none, in short steps. */
export async function* updateChat(
  context: ChatContext,
  userId: string,
  { chatId, mayEdit }: { chatId: string; mayEdit: boolean },
  body: ChatBodyInput,
): AsyncGenerator<void, SavedChat> {
  const find = (): Promise<ChatRow> => requireChat(context, userId, chatId)
  await find()
  const changes = yield* parseChatBody(body, { isNew: false, bounds: context.recordBounds() })
  const check = (plan: MergePlan): void => {
    requireFewChanges(context, plan)
    if (!mayEdit) requireUnedited(plan, changes)
  }
  const { before, saved, created } = yield* changeChat(context, changes, { find, check })
  await context.backlog.wake()
  // Writing a long message and telling of it take a turn each.
  yield
  if (saved.chat.title !== before.title) context.announce.renamed(saved.chat, saved.chat.title)
  context.announce.messagesCreated(saved.chat, created)
  context.announce.listChanged(
    saved.chat,
    saved.chat.title === before.title ? 'updated' : 'renamed',
  )
  return saved
}

/**
 * Gives a chat another title without moving it in the list; whoever found the title announces it.
 */
export async function renameChat(
  context: ChatContext,
  chatId: string,
  title: string,
): Promise<void> {
  const { storage, store, search, announce } = context
  const chat = await store.chat(chatId)
  if (!chat || chat.title === title) return
  await storage.transaction(async () => {
    await store.updateChat(chatId, { title })
    await search.indexTitle({ ...chat, title }, chat.user_id)
  })
  announce.listChanged(chat, 'renamed')
}

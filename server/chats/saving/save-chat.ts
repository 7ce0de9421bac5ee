import type { ChatBodyInput } from '#contract/chats.ts'
import { notFound, tooLarge, unauthorized } from '../../lib/errors.ts'
import { newId, nowSeconds } from '../../lib/ids.ts'
import { finishSteps, runInTurns } from '../../lib/turns.ts'
import { inGroups } from '../../lib/timing/in-groups.ts'
import type { Storage } from '../../storage/index.ts'
import { requireChat, type ChatContext } from '../chat-context.ts'
import { isMuchText, planMerge, writeMerge, type MergePlan } from './merge-messages.ts'
import type { MessageWatch } from '../reading/message-watches.ts'
import { parseChatBody, type ChatChanges } from './parse-chat-body.ts'
import type { MentionedMessage } from './parse-message.ts'
import { requireFolder } from '../folders/require-folder.ts'
import { requireUnedited } from '../require-permitted.ts'
import { UNFINISHED, type ChatRow, type ChatStore } from '../store.ts'
import type { MessageRow } from '../chat-rows.ts'
import { indexTags, metaWithTags } from '../tags/change-tags.ts'

const DEFAULT_TITLE = 'New Chat'

/** A chat after a write, with the corrections made. */
export interface SavedChat {
  readonly chat: ChatRow
  readonly repairs: string[]
}

/** Fields a chat can have besides its body when it is stored for the first time. */
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

/** Returns the columns mentioned in a body. */
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

/** Additional work of storing a new chat, in the transaction that makes it visible. */
export interface NewChatOptions {
  /** Fields of the chat besides its body. */
  readonly record?: () => Promise<NewChatRecord>
  readonly onStored?: (chat: ChatRow) => Promise<void>
}

/** More new messages than this are stored in several transactions, before the chat is visible. */
const STORE_AT_ONCE = 200

/**
 * Stores a new chat with its messages, without an announcement, in short steps; either all of it is
 * stored or nothing.
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
 * Stores the messages of a chat that is not visible yet; the rest after a crash is erased with the
 * trash.
 */
async function* storeUnseen(
  { storage, store, search }: ChatContext,
  row: Omit<ChatRow, 'seq'>,
  plan: MergePlan,
): AsyncGenerator<void, void> {
  await storage.transaction(async () => {
    await store.insertChat({ ...row, deleted_at: UNFINISHED })
    await search.backlog.addToBacklog(row.id)
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

/** Processes each value, in transactions that are as short as a slice. */
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
 * Makes a chat visible after all its messages are stored; throws 404 if it was erased meanwhile,
 * 401 if its owner was.
 */
export function showUnseen(
  { storage, store }: ChatContext,
  final: Omit<ChatRow, 'seq'>,
): Promise<ChatRow> {
  return storage.transaction(async () => {
    // The database would refuse a new row, because its owner was deleted meanwhile.
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

/** Result of a write to a chat. */
export interface ChatWrite {
  readonly before: ChatRow
  readonly saved: SavedChat
  readonly created: readonly MessageRow[]
}

/** Options of a change: how to find the chat, and additional work in the transaction. */
export interface ChangeOptions {
  /** Throws if the chat does not exist. */
  readonly find: () => Promise<ChatRow>
  /** Throws if the changes are not permitted. */
  readonly check?: (plan: MergePlan) => void
  readonly onStored?: (chat: ChatRow) => Promise<void>
}

/**
 * Number of attempts to plan concurrently with other writers before the plan is made within the
 * transaction.
 */
const MOST_TRIES = 3

/**
 * Writes the changes of a body, all of them or none. They are prepared in short steps, between
 * which other requests are served.
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
    const watch = store.watches.open(planned.id)
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
 * Plans and writes in one transaction, since nothing here tracks the concurrent writes of other
 * gateways. PostgreSQL serves other work during a transaction, so this one may yield.
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
 * Updates the text of growing answers in a plan; resolves with false if the plan is no longer
 * valid.
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

/** Fields by which users mark messages; they add nothing to the conversation. */
const MARKS: ReadonlySet<string> = new Set(['annotation', 'favorite', 'feedbackId'])

const isMark = ({ id: _id, extra, ...rest }: MentionedMessage): boolean =>
  Object.values(rest).every((value) => value === undefined) &&
  Object.keys(extra).every((name) => MARKS.has(name))

/**
 * Returns true if a change only rates or stars messages, which keeps the chat's position in lists.
 */
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

/**
 * Limits the changes of a save, which are one transaction, during which no other request is served.
 */
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
  // Writing a long message and announcing it take a turn each.
  yield
  if (saved.chat.title !== before.title) context.announce.renamed(saved.chat, saved.chat.title)
  context.announce.messagesCreated(saved.chat, created)
  context.announce.listChanged(
    saved.chat,
    saved.chat.title === before.title ? 'updated' : 'renamed',
  )
  return saved
}

/** Changes the title of a chat without moving it in the list; the caller announces it. */
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

import { chatBodyInputSchema, type ChatBodyInput } from '#contract/chats.ts'
import { conflict } from '../../lib/errors.ts'
import { nowSeconds } from '../../lib/ids.ts'
import { parseInputInSteps } from '../../lib/serving/parse-input.ts'
import { eachAwaitedInSteps } from '../../lib/turns.ts'
import { requireChat, type ChatContext } from '../chat-context.ts'
import { planMerge } from '../saving/merge-messages.ts'
import { parseChatBody } from '../saving/parse-chat-body.ts'
import {
  changeChat,
  storeNewChat,
  type NewChatOptions,
  type NewChatRecord,
} from '../saving/save-chat.ts'
import type { ChatRow } from '../store.ts'
import type { ImportRow } from './store.ts'
import type { ArchiveChat, ChatSummary } from './archive-chat.ts'

export interface ImportOutcome {
  readonly outcome: 'created' | 'updated' | 'unchanged'
  readonly chatId: string
}

/** Owner and source of an archive. */
export interface ImportPlace {
  readonly userId: string
  readonly source: string
  /** Id of the current import. */
  readonly runId: string
}

interface Known {
  readonly chat: ChatRow
  readonly row: ImportRow | undefined
  /** True if the chat in the archive has not changed since. */
  readonly isSame: boolean
}

/**
 * Finds the stored chat for a chat of an archive: one imported before, or for the gateway's own
 * archive the same chat.
 */
async function findKnown(
  { store, imports }: ChatContext,
  place: ImportPlace,
  summary: ChatSummary,
): Promise<Known | null> {
  const row = await imports.find(place.userId, place.source, summary.key)
  const chat = await store.chat(row?.chat_id ?? (place.source === 'own' ? summary.key : ''))
  if (!chat || chat.user_id !== place.userId || chat.deleted_at !== null) return null
  const isSame = row
    ? row.fingerprint === summary.fingerprint
    : chat.updated_at >= (summary.updated_at ?? 0)
  return { chat, row, isSame }
}

/** Determines the effect of importing a chat. */
export async function findState(
  context: ChatContext,
  place: ImportPlace,
  summary: ChatSummary,
): Promise<'new' | 'changed' | 'known'> {
  const known = await findKnown(context, place, summary)
  if (!known) return 'new'
  return known.isSame ? 'known' : 'changed'
}

type SentMessage = NonNullable<NonNullable<ChatBodyInput['history']>['messages']>[string]

/** Returns the parts of a body that may be long and are checked part by part. */
function findLarge(body: ChatBodyInput): WeakSet<object> {
  const parts: unknown[] = [body, body.history, body.history?.messages, body.messages]
  return new WeakSet(
    parts.filter((part): part is object => typeof part === 'object' && part !== null),
  )
}

/**
 * Checks the body against the schema, but passes it on unchanged: schemas omit fields named
 * `__proto__`.
 */
function* checkBody(body: ChatBodyInput): Generator<void, ChatBodyInput> {
  yield* parseInputInSteps(chatBodyInputSchema, body, findLarge(body))
  return body
}

/** Stores a chat of an archive as a new one, in short steps. */
export async function* createFrom(
  context: ChatContext,
  userId: string,
  parsed: ArchiveChat,
  { record = async () => ({}), onStored }: NewChatOptions,
): AsyncGenerator<void, ChatRow> {
  const created = parsed.created_at ?? parsed.updated_at ?? nowSeconds()
  const stored = {
    pinned: Number(parsed.pinned),
    archived: Number(parsed.archived),
    created_at: created,
    updated_at: parsed.updated_at ?? created,
  }
  const options = { record: async () => ({ ...(await record()), ...stored }), onStored }
  return (yield* storeNewChat(context, userId, yield* checkBody(parsed.body), options)).chat
}

/**
 * Maximum number of messages added to a chat at once. Between two such parts the chat is
 * consistent, and a repeated import continues.
 */
const PART = 500

/** Adds the messages a chat does not have yet, parents first; changes made by the user stay. */
async function* addMissing(
  context: ChatContext,
  chat: ChatRow,
  parsed: ArchiveChat,
): AsyncGenerator<void, boolean> {
  const { store } = context
  const { history } = yield* checkBody(parsed.body)
  const missing: [string, SentMessage][] = []
  let hasCurrent = chat.current_id === null
  yield* eachAwaitedInSteps(Object.keys(history?.messages ?? {}), async (id) => {
    hasCurrent ||= id === chat.current_id
    if ((await store.link(chat.id, id.toWellFormed())) === undefined)
      missing.push([id, history!.messages![id]!])
  })
  if (missing.length === 0) return false
  // A user who continued the chat here keeps the current message.
  const sent = {
    currentId: hasCurrent ? history?.currentId : undefined,
    messages: Object.fromEntries(missing),
  }
  const changes = yield* parseChatBody(
    { history: sent },
    { isNew: false, bounds: context.recordBounds() },
  )
  const { created } = yield* planMerge(store, chat, changes)
  const find = (): Promise<ChatRow> => requireChat(context, chat.user_id, chat.id)
  const updated_at = Math.max(chat.updated_at, parsed.updated_at ?? nowSeconds())
  for (let from = 0; from < Math.max(1, created.length); from += PART) {
    const isLast = from + PART >= created.length
    const part = created
      .slice(from, from + PART)
      .map(({ id }) => [id, changes.messages.get(id)!] as const)
    const messages = created.length <= PART ? changes.messages : new Map(part)
    const currentId = isLast ? changes.currentId : undefined
    yield* changeChat(
      context,
      { ...changes, messages, currentId },
      { find, onStored: () => store.updateChat(chat.id, { updated_at }) },
    )
  }
  return true
}

/** Imports one chat of an archive, in short steps. A second import changes nothing. */
export async function* importChat(
  context: ChatContext,
  place: ImportPlace,
  chat: {
    summary: ChatSummary
    read: () => Generator<void, ArchiveChat>
    /** Stores the files the chat refers to. */
    carryFiles: (chat: ArchiveChat) => Promise<ArchiveChat>
    folderFor: (folder: string | null) => Promise<string | null>
  },
): AsyncGenerator<void, ImportOutcome> {
  const { summary, read, carryFiles, folderFor } = chat
  const known = await findKnown(context, place, summary)
  if (known?.isSame) return { outcome: 'unchanged', chatId: known.chat.id }
  const parsed = await carryFiles(yield* read())
  const save = (id: string, made: Pick<ImportRow, 'run_id' | 'stored_at'>): Promise<void> =>
    context.imports.save({
      ...made,
      user_id: place.userId,
      source: place.source,
      external_id: summary.key,
      chat_id: id,
      fingerprint: summary.fingerprint,
      imported_at: nowSeconds(),
    })
  if (known) {
    const isChanged = yield* addMissing(context, known.chat, parsed)
    await save(known.chat.id, {
      run_id: known.row?.run_id ?? null,
      stored_at: known.row?.stored_at ?? null,
    })
    return { outcome: isChanged ? 'updated' : 'unchanged', chatId: known.chat.id }
  }
  const onStored = ({ id, updated_at }: ChatRow): Promise<void> =>
    save(id, { run_id: place.runId, stored_at: updated_at })
  const record = async (): Promise<NewChatRecord> => {
    // Another import of the same archive may have stored it meanwhile.
    if (await findKnown(context, place, summary))
      throw conflict('Another import stored this chat at the same time.')
    return { folder_id: await folderFor(parsed.folder) }
  }
  const { id } = yield* createFrom(context, place.userId, parsed, { record, onStored })
  return { outcome: 'created', chatId: id }
}

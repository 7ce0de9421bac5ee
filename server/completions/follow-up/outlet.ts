import { filterInOrder } from '../../lib/in-order.ts'
import type {
  ChatCompletionRequest,
  CompletedRequest,
  completionEndpoints,
} from '#contract/completions.ts'
import type { Call, Caller } from '../../lib/http.ts'
import { copyInTurns } from '../../lib/json/copy-in-turns.ts'
import { notFound } from '../../lib/errors.ts'
import { createContact } from '../contact.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import { turnEvents, type Turn } from '../turn/open-turn.ts'
import { isTemporary } from '../../lib/is-temporary.ts'
import { FilterEvents } from './filter-events.ts'
import type { Finished, Outlet } from '../../extensions/filters.ts'
import type { Contact, RunningContact } from '../../extensions/request-context.ts'

async function takingPart({ outlets }: CompletionsParts, finished: Finished): Promise<Outlet[]> {
  const takeParts = await Promise.all(outlets.map(async (outlet) => outlet.takesPart(finished)))
  return outlets.filter((_, place) => takeParts[place])
}

/**
 * Runs the outlet stage for a script that requests it and returns the resulting conversation, which
 * is not stored (docs/plugin-contract.md). Throws 400 for a model that does not exist or is not
 * accessible to the caller, 404 for a chat of another user.
 */
export async function completeChat(
  parts: CompletionsParts,
  {
    caller,
    body,
    signal,
  }: Pick<Call<typeof completionEndpoints.completed>, 'caller' | 'body' | 'signal'>,
): Promise<CompletedRequest> {
  const { chat_id: chatId } = body
  const isStored = Boolean(chatId) && !isTemporary(chatId!)
  if (isStored && (await parts.chats.ownerOf(chatId!)) !== caller.userId)
    throw notFound('There is no chat with this id.')
  await parts.models.resolve(caller, body.model)
  const outlets = await takingPart(parts, { ...body, caller })
  return runOutlets(outlets, { ...toContact(parts, caller, body), signal }, body)
}

interface InlineOutlet {
  readonly turn: Turn
  readonly sent: ChatCompletionRequest
  /** Text of the answer. That of a temporary chat is not stored anywhere. */
  readonly answered: string
  readonly signal: AbortSignal
  readonly lifetime?: RunningContact['lifetime']
}

/** Runs the outlet stage on an answer the gateway has just finished. */
export async function runInlineOutlet(
  parts: CompletionsParts,
  caller: Caller,
  { turn, sent, answered, signal, lifetime }: InlineOutlet,
): Promise<void> {
  const { chats, settings, log } = parts
  if (!settings.get('ENABLE_INLINE_OUTLET')) return
  const { chatId, messageId } = turn
  const isTemporaryChat = turn.temporarySession !== null
  try {
    const { model, filter_ids, session_id } = sent
    const outlets = await takingPart(parts, { caller, model, filter_ids })
    if (outlets.length === 0) return
    const place = {
      chat_id: chatId,
      id: messageId,
      ...(session_id && { session_id }),
      ...(filter_ids && { filter_ids }),
    }
    const messages = isTemporaryChat
      ? [...sent.messages, { id: messageId, role: 'assistant', content: answered }]
      : await chats.wholeThread(chatId, messageId)
    const body = { model, messages, ...place }
    const contact = createContact(parts, { caller, turn, sentSession: session_id ?? null })
    const filterEvents = new FilterEvents()
    const context: RunningContact = {
      ...contact,
      signal,
      lifetime,
      tell(event) {
        filterEvents.note(event)
        contact.tell(event)
      },
    }
    const after = await runOutlets(outlets, context, body)
    await contact.allTold()
    const changed = findChanges(body, after, { messageId, filterEvents })
    const kept = isTemporaryChat
      ? changed.filter(({ id }) => id === messageId)
      : await keepChanges(chats, chatId, changed)
    if (kept.length > 0) tellChanges(parts, turn, kept)
  } catch (error) {
    if (!signal.aborted)
      log.warn(
        { error, chat_id: chatId },
        'an outlet filter failed; the answer stays as the model wrote it',
      )
  }
}

/**
 * Returns the contact for an outlet of a script: the windows that show the message the script
 * names.
 */
export function toContact(
  parts: CompletionsParts,
  caller: Caller,
  { chat_id: chatId, id, session_id: session }: CompletedRequest,
): Contact {
  const isStored = chatId && id && !isTemporary(chatId)
  const turn = isStored
    ? { userId: caller.userId, chatId, messageId: id, temporarySession: null, temporaryTexts: null }
    : null
  return createContact(parts, { caller, turn, sentSession: session ?? null })
}

async function runOutlets(
  outlets: readonly Outlet[],
  contact: RunningContact,
  body: CompletedRequest,
): Promise<CompletedRequest> {
  // A filter may modify its input; the original is needed to detect the difference.
  let result = outlets.length === 0 ? body : await copyInTurns(body)
  for (const outlet of outlets) result = await outlet.run(result, contact)
  contact.signal.throwIfAborted()
  return result
}

interface Change {
  readonly id: string
  readonly content: string
  /** Undefined if the outlets did not receive the message. */
  readonly before: unknown
  /** Stored text if its owner did not edit it: `before`, with the events the outlets sent. */
  readonly expected: unknown
}

interface Filtered {
  /** Answer the outlets ran for, which holds the events they sent. */
  readonly messageId: string
  readonly filterEvents: FilterEvents
}

/** Returns the texts the outlets changed, with what they sent as events. */
function findChanges(
  before: CompletedRequest,
  after: CompletedRequest,
  { messageId, filterEvents }: Filtered,
): Change[] {
  const was = new Map(before.messages.map((message) => [message['id'], message['content']]))
  return after.messages.flatMap((message) => {
    if (!isRecord(message)) return []
    const { id, content } = message
    if (typeof id !== 'string' || typeof content !== 'string') return []
    const original = was.get(id)
    if (original === content) return []
    if (id !== messageId) return [{ id, content, before: original, expected: original }]
    const expected = typeof original === 'string' ? filterEvents.applyTo(original) : original
    return [{ id, content: filterEvents.appendTo(content), before: original, expected }]
  })
}

/**
 * Stores texts the outlets changed, together with the originals, and returns the stored ones. A
 * text that its owner edited meanwhile stays.
 */
function keepChanges(
  chats: CompletionsParts['chats'],
  chatId: string,
  changed: readonly Change[],
): Promise<Change[]> {
  return filterInOrder(changed, async ({ id, content, before, expected }) => {
    const stored = await chats.message(chatId, id)
    if (stored === null || stored.content === content) return false
    const originalContent = typeof before === 'string' ? before : stored.content
    const isUnedited =
      before === undefined || stored.content === before || stored.content === expected
    return isUnedited && (await chats.saveAnswer(chatId, id, { content, originalContent }))
  })
}

/** Notifies the windows that show the chat. */
function tellChanges({ events }: CompletionsParts, turn: Turn, kept: readonly Change[]): void {
  const messages = kept.map(({ id, content }) => ({ id, content }))
  turnEvents(events, turn).emit(turn.userId, {
    chat_id: turn.chatId,
    message_id: messages.at(-1)!.id,
    data: { type: 'chat:outlet', data: { messages } },
  })
}

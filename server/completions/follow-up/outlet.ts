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
import type { Turn } from '../turn/open-turn.ts'
import { isTemporary } from '../../lib/is-temporary.ts'
import { FilterEvents } from './filter-events.ts'
import type { Finished, Outlet } from '../../extensions/filters.ts'
import type { Contact, RunningContact } from '../../extensions/request-context.ts'

async function takingPart({ outlets }: CompletionsParts, finished: Finished): Promise<Outlet[]> {
  const takeParts = await Promise.all(outlets.map(async (outlet) => outlet.takesPart(finished)))
  return outlets.filter((_, place) => takeParts[place])
}

interface ChangedMessage {
  readonly id: string
  readonly content: string
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

/** Runs the outlet stage on an answer the gateway has just finished. */
export async function runInlineOutlet(
  parts: CompletionsParts,
  caller: Caller,
  { turn, sent, signal }: { turn: Turn; sent: ChatCompletionRequest; signal: AbortSignal },
): Promise<void> {
  const { chats, settings, log } = parts
  if (turn.temporarySession !== null || !settings.get('ENABLE_INLINE_OUTLET')) return
  const { chatId, messageId } = turn
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
    const body = { model, messages: await chats.wholeThread(chatId, messageId), ...place }
    const contact = createContact(parts, { caller, turn, sentSession: session_id ?? null })
    const filterEvents = new FilterEvents()
    const context: RunningContact = {
      ...contact,
      signal,
      tell(event) {
        filterEvents.note(event)
        contact.tell(event)
      },
    }
    const after = await runOutlets(outlets, context, body)
    await contact.allTold()
    await keepChanges(parts, caller, { chatId, messageId, filterEvents, before: body, after })
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

interface Filtering {
  readonly chatId: string
  /** Answer the outlets ran for, which holds the events they sent. */
  readonly messageId: string
  readonly filterEvents: FilterEvents
  readonly before: CompletedRequest
  readonly after: CompletedRequest
}

/**
 * Stores texts the outlets changed, together with the originals, and notifies the windows. A text
 * that its owner edited meanwhile stays.
 */
async function keepChanges(
  { chats, events }: CompletionsParts,
  caller: Caller,
  { chatId, messageId, filterEvents, before, after }: Filtering,
): Promise<void> {
  const was = new Map(before.messages.map((message) => [message['id'], message['content']]))
  const changed = after.messages.filter(
    (message): message is ChangedMessage & Record<string, unknown> => {
      return (
        isRecord(message) &&
        typeof message['id'] === 'string' &&
        typeof message['content'] === 'string' &&
        was.get(message['id']) !== message['content']
      )
    },
  )
  const texts = changed.map(({ id, content }) => ({
    id,
    content: id === messageId ? filterEvents.appendTo(content) : content,
  }))
  const messages = await filterInOrder(texts, async ({ id, content }) => {
    const stored = await chats.message(chatId, id)
    if (stored === null || stored.content === content) return false
    const original = was.get(id)
    const originalContent = typeof original === 'string' ? original : stored.content
    const isUnedited =
      !was.has(id) ||
      stored.content === original ||
      (id === messageId && stored.content === filterEvents.applyTo(originalContent))
    return isUnedited && (await chats.saveAnswer(chatId, id, { content, originalContent }))
  })
  if (messages.length === 0) return
  events.emit(caller.userId, {
    chat_id: chatId,
    message_id: messages.at(-1)!.id,
    data: { type: 'chat:outlet', data: { messages } },
  })
}

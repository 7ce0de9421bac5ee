import { ServiceError } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { unwrap, withIndex, type SentEvent } from '../lib/plugin-events.ts'
import type { CompletionsParts } from './completions-parts.ts'
import { turnEvents, type Turn } from './turn/open-turn.ts'
import type { Contact } from '../extensions/request-context.ts'

/**
 * Location of an answer: a message of a stored chat, or of a temporary chat that only a window
 * keeps.
 */
export type AnswerPlace = Pick<
  Turn,
  'userId' | 'chatId' | 'messageId' | 'temporarySession' | 'temporaryTexts'
>

interface ContactOptions {
  readonly caller: Caller
  /** Null for a stateless call, which has no recipient for events. */
  readonly turn: AnswerPlace | null
  /** Session named in the request; it may belong to another user. */
  readonly sentSession: string | null
  /** Receives the events before they are sent and stored. */
  readonly onTold?: (event: SentEvent) => void
}

export function createContact(
  parts: CompletionsParts,
  { caller, turn, sentSession, onTold }: ContactOptions,
): Contact {
  // Events are stored and sent in the order in which they were reported.
  let told = Promise.resolve()
  const findSession = () =>
    sentSession && parts.events.hasSession(sentSession, caller.userId) ? sentSession : null
  return {
    caller,
    chatId: turn?.chatId ?? null,
    messageId: turn?.messageId ?? null,
    sessionId: findSession(),
    tell(event) {
      onTold?.(event)
      if (turn) told = told.then(() => tellTurn(parts, turn, event))
    },
    allTold: () => told,
    async ask(event, signal) {
      // A question follows the events that were reported before it.
      await told
      const sessionId = findSession()
      if (!sessionId || !turn) throw new Error('There is no open window that could answer.')
      const timeoutMs = parts.settings.get('WEBSOCKET_EVENT_CALLER_TIMEOUT') * 1000
      const place = { chat_id: turn.chatId, message_id: turn.messageId }
      return parts.events.call(
        sessionId,
        caller.userId,
        { ...place, data: event },
        { timeoutMs, signal },
      )
    },
  }
}

/**
 * Returns the reason why an event is not forwarded; null if it is. The tool that sent it receives
 * no reply, so the user is notified.
 */
function explainRefusal(events: CompletionsParts['events'], data: SentEvent): string | null {
  try {
    events.limits.requireFit(unwrap(data))
    return null
  } catch (error) {
    if (error instanceof ServiceError) return error.message
    throw error
  }
}

/**
 * Sends an event of an answer to the windows that show it, and stores it if its type is persisted.
 */
export async function tellTurn(
  parts: CompletionsParts,
  turn: AnswerPlace,
  data: SentEvent,
): Promise<void> {
  const { userId, chatId, messageId, temporarySession, temporaryTexts } = turn
  const refusal = explainRefusal(parts.events, data)
  if (refusal !== null) {
    parts.log.warn({ chat_id: chatId, type: data.type }, 'an event of an answer was too large')
    return tellTurn(parts, turn, {
      type: 'notification',
      data: { type: 'error', content: refusal },
    })
  }
  let index: number | null = null
  try {
    if (temporarySession === null) index = await parts.chats.applyEvent(chatId, messageId, data)
    else temporaryTexts?.note(data)
  } catch (error) {
    // The message was deleted meanwhile, or the disk is full. Saving the answer will report it.
    parts.log.info(
      { error, chat_id: chatId, type: data.type },
      'an event of an answer could not be stored',
    )
  }
  turnEvents(parts.events, turn).emit(userId, {
    chat_id: chatId,
    message_id: messageId,
    data: withIndex(data, index),
  })
}

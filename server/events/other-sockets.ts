import type { ServerFrame } from '#contract/events.ts'
import type { AskedEvent } from '../lib/call-origin.ts'
import type { SentEvent } from '../lib/plugin-events.ts'
import type { AnswerWait } from './pending-calls.ts'

/** Event for every socket of a user. */
export interface UserEvent {
  readonly chat_id: string | null
  readonly message_id: string | null
  readonly data: SentEvent
}

/** Channel event for the users who may read the channel. */
export type ChannelFrame = Omit<Extract<ServerFrame, { type: 'events:channel' }>, 'type'>

/** Call that only one window can answer. */
export interface AskedCall {
  readonly chat_id: string
  readonly message_id: string
  readonly data: AskedEvent
}

/** Answer to which a model run belongs. */
export interface AnswerPlace {
  readonly userId: string
  readonly chatId: string
  readonly messageId: string
  /** Session that keeps the temporary chat, and alone is notified; null for a stored chat. */
  readonly temporarySession: string | null
}

/**
 * Sockets of a foreign protocol that receive the same events as those of the gateway's own
 * protocol.
 */
export interface OtherSockets {
  emit(userId: string, event: UserEvent): void
  emitTo(sessionId: string, userId: string, event: UserEvent): void
  emitToAll(userIds: Iterable<string>, event: ChannelFrame): void
  /** Announces the start of an answer; `emit` sends its contents. */
  answerBegun(place: AnswerPlace): void
  /** Announces that an answer is over, including the texts generated alongside it. */
  answerOver(place: AnswerPlace): void
  /** Returns the ids of the users who currently have a socket. */
  users(): Iterable<string>
  hasSession(sessionId: string, userId: string): boolean
  call(sessionId: string, userId: string, event: AskedCall, wait: AnswerWait): Promise<unknown>
  /** Closes every socket whose credential is no longer valid. */
  recheck(userId: string): Promise<void>
  close(): void
}

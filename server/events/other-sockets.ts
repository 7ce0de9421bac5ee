import type { ServerFrame } from '#contract/events.ts'
import type { AskedEvent } from '../lib/call-origin.ts'
import type { SentEvent } from '../lib/plugin-events.ts'
import type { CallWait } from './pending-calls.ts'

/** An event on its way to every socket of a user. */
export interface UserEvent {
  readonly chat_id: string | null
  readonly message_id: string | null
  readonly data: SentEvent
}

/** An event of a channel on its way to those who may read it. */
export type ChannelFrame = Omit<Extract<ServerFrame, { type: 'events:channel' }>, 'type'>

/** Something only one window can answer. */
export interface AskedCall {
  readonly chat_id: string
  readonly message_id: string
  readonly data: AskedEvent
}

/** The answer a run of a model belongs to. */
export interface AnswerPlace {
  readonly userId: string
  readonly chatId: string
  readonly messageId: string
}

/** Sockets that speak a protocol of others and hear the same as those of the gateway's own. */
export interface OtherSockets {
  emit(userId: string, event: UserEvent): void
  emitTo(sessionId: string, userId: string, event: UserEvent): void
  emitToAll(userIds: Iterable<string>, event: ChannelFrame): void
  /** An answer is begun; `emit` tells what it says. */
  answerBegun(place: AnswerPlace): void
  /** Nothing more comes of an answer, neither its text nor what is written beside it. */
  answerOver(place: AnswerPlace): void
  /** Ids of the users who have a socket now. */
  users(): Iterable<string>
  hasSession(sessionId: string, userId: string): boolean
  call(sessionId: string, userId: string, event: AskedCall, wait: CallWait): Promise<unknown>
  /** Closes every socket whose credential is no longer valid. */
  recheck(userId: string): Promise<void>
  close(): void
}

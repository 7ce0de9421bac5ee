import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { EventData } from '#contract/events.ts'

/** An event on its way to every socket of a user. */
export interface UserEvent {
  readonly chat_id: string | null
  readonly message_id: string | null
  readonly data: EventData
}

/** The socket hub (decisions §5): one prepared frame per event, slow sockets skipped and dropped, never awaited. */
export interface Events {
  emit(userId: string, event: UserEvent): void
  /** True when a live socket with this session id belongs to this user. */
  hasSession(sessionId: string, userId: string): boolean
  /** Sends a call to one session and waits for its answer; rejects on timeout, error or a closed socket. */
  call(
    sessionId: string,
    userId: string,
    event: { chat_id: string; message_id: string; data: EventData },
    timeoutMs: number,
  ): Promise<unknown>
  /** True while a window of the user has the focus. */
  isFocused(userId: string): boolean
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Closes every socket whose credential is no longer valid. */
  recheck(userId: string): void
  /** Closes all sockets for shutdown. */
  close(): void
}

import type { IncomingHttpHeaders } from 'node:http'
import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { ForeignEvent, GatewayCall, PluginCall } from '#contract/events.ts'
import type { Caller } from './http.ts'
import type { Lifetime } from './lifetime.ts'
import type { SentEvent } from './plugin-events.ts'

/** Call to the window of a request. */
export type AskedEvent = GatewayCall | PluginCall | ForeignEvent

/** Origin of a completion, and the channel from its extensions to the user. */
export interface CallOrigin {
  readonly caller: Caller
  /** Request as sent by its caller. */
  readonly sent: ChatCompletionRequest
  /** Task of a call beside an answer, such as `title_generation`; null for the answer itself. */
  readonly task: string | null
  /** Location of the answer; null for a stateless call. */
  readonly chatId: string | null
  readonly messageId: string | null
  /**
   * Headers of the original HTTP request; absent if there was none. Plugins see some of them, never
   * a credential.
   */
  readonly headers?: IncomingHttpHeaders
  /** Live window from which the request came; null if there is none. */
  readonly sessionId: string | null
  /** Aborts when the answer is stopped, or the caller of a stateless call disconnects. */
  readonly signal: AbortSignal
  /**
   * Time of the answer with its outlet filters, in which plugins may send events although their call
   * has ended; absent for calls outside of answers.
   */
  readonly lifetime?: Lifetime | undefined
  /**
   * Sends an event to the windows and stores it if its type is persisted; does nothing for a
   * stateless call.
   */
  tell(event: SentEvent): void
  /** Resolves when all events reported so far are stored and sent. */
  allTold(): Promise<void>
  /**
   * Asks the window of the request and waits; rejects without a window, on a closed window, on
   * timeout, and as soon as `signal` aborts.
   */
  ask(event: AskedEvent, signal?: AbortSignal): Promise<unknown>
}

/**
 * Returns true if the request of a stored answer named a session that is not connected: plugins may
 * call it, and the call times out (specification, Plugin events).
 */
export const namesLostSession = ({ sent, sessionId, chatId, messageId }: CallOrigin): boolean =>
  Boolean(sent.session_id) && sessionId === null && chatId !== null && messageId !== null

import type { IncomingHttpHeaders } from 'node:http'
import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { ForeignEvent, GatewayCall, PluginCall } from '#contract/events.ts'
import type { Caller } from './http.ts'
import type { SentEvent } from './plugin-events.ts'

/** A question to the window of a request. */
export type AskedEvent = GatewayCall | PluginCall | ForeignEvent

/**
 * Where a completion comes from and how whatever takes part in it speaks to the person behind it.
 */
export interface CallOrigin {
  readonly caller: Caller
  /** The request as its caller sent it. */
  readonly sent: ChatCompletionRequest
  /**
   * What a model is asked beside an answer, such as `title_generation`; null for the answer itself.
   */
  readonly task: string | null
  /** The place the answer is written to; null for a stateless call. */
  readonly chatId: string | null
  readonly messageId: string | null
  /**
   * Headers of the HTTP request it came with; absent where there was none. Plugins see a few of
   * them, never a credential.
   */
  readonly headers?: IncomingHttpHeaders | undefined
  /** The live window the request came from; null when there is none. */
  readonly sessionId: string | null
  /** Aborts when the answer is stopped, or the caller of a stateless call leaves. */
  readonly signal: AbortSignal
  /**
   * Sends an event to the windows and stores it where its type persists; goes nowhere for a
   * stateless call.
   */
  tell(event: SentEvent): void
  /**
   * Asks the window of the request and waits; rejects without one, on a closed window, when nobody
   * answers in time, and as soon as `signal` aborts.
   */
  ask(event: AskedEvent, signal?: AbortSignal): Promise<unknown>
}

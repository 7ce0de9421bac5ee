import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AnyEndpoint } from '#contract/endpoint.ts'

/** Measures calls from outside, and knows nothing of what is in them. */
export interface CallWatcher {
  /** The head of a call has come. */
  begin(request: IncomingMessage, response: ServerResponse): void
  /** Answers it; what the call does, now and later, belongs to it. */
  within(response: ServerResponse, answer: () => void): void
  /** The endpoint the call is for; one that belongs to none is never named. */
  name(response: ServerResponse, endpoint: AnyEndpoint): void
}

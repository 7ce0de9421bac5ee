import type { PluginStoreName } from '#contract/plugins.ts'
import type { CallOrigin } from '../lib/call-origin.ts'
import type { Caller } from '../lib/http.ts'

/** Which plugin is meant. */
export interface PluginKey {
  readonly store: PluginStoreName
  readonly id: string
}

/** What plugin code asks the gateway for, as a method of the compatibility package. */
export interface HostRequest {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  /**
   * Whom it is authorised as; null while a plugin is loaded, when it may read nothing but its own
   * settings.
   */
  readonly caller: Caller | null
  readonly plugin: PluginKey
  /** The request the plugin takes part in; null outside of one. */
  readonly origin: CallOrigin | null
  readonly signal: AbortSignal
}

/**
 * Answers such requests. An iterable is sent piece by piece; a `ServiceError` becomes an exception
 * with its status.
 */
export type AnswerHost = (request: HostRequest) => Promise<unknown> | AsyncIterable<unknown>

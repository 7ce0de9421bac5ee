import type { PluginStoreName } from '#contract/plugins.ts'
import type { CallOrigin } from '../lib/call-origin.ts'
import type { Caller } from '../lib/http.ts'

/** Key of a plugin. */
export interface PluginKey {
  readonly store: PluginStoreName
  readonly id: string
}

/** A request of plugin code to the gateway, as a method of the compatibility package. */
export interface HostRequest {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  /**
   * User whose permissions apply; null while a plugin is loaded, when it may only read its own
   * settings.
   */
  readonly caller: Caller | null
  readonly plugin: PluginKey
  /** The request the plugin takes part in; null outside of one. */
  readonly origin: CallOrigin | null
  readonly signal: AbortSignal
}

/**
 * Handler of such requests. An iterable is sent piece by piece; a `ServiceError` becomes an
 * exception with its status.
 */
export type AnswerHost = (request: HostRequest) => Promise<unknown> | AsyncIterable<unknown>

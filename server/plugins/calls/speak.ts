import { setTimeout as sleep } from 'node:timers/promises'
import type { PluginEvent } from '#contract/events.ts'
import { namesLostSession, type CallOrigin } from '../../lib/call-origin.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { Logger } from '../../lib/logger.ts'
import { readPluginEvent, toPluginCall, toPluginEvent } from '../../lib/plugin-events.ts'
import type { PluginKey } from '../host-request.ts'
import { isActive } from '../require-active.ts'

export interface SpeakerOptions {
  readonly plugin: PluginKey
  readonly origin: CallOrigin | null
  /** Receives the events in place of `origin`. */
  readonly tell?: CallOrigin['tell']
  /**
   * Resolves with true if code for the page may be sent: the plugin was installed by an
   * administrator and the switch is on.
   */
  readonly mayExecute: () => Promise<boolean>
  /** Time in ms that a call waits for an answer. */
  readonly callTimeout: () => number
  readonly log: Logger
}

const LONGEST_LOGGED_CODE = 2_000

/** Calls of the gateway itself: requests to a tool server of the user, and approvals of tools. */
const GATEWAY_CALLS = new Set(['execute:tool', 'tool:approval'])

/** The name determines the Python exception. */
const named = (name: string, message: string): Error => Object.assign(new Error(message), { name })

/** Events of a plugin for the user it runs for (specification, Plugin events). */
export class Speaker {
  readonly #options: SpeakerOptions

  constructor(options: SpeakerOptions) {
    this.#options = options
  }

  /**
   * `__event_emitter__`: sends an event to the windows and stores it if its type persists; ignores
   * invalid events, and those for a user who lost access.
   */
  tell(event: unknown): void {
    const read = readPluginEvent(event)
    if (!read || !this.#options.origin || !isActive(this.#options.origin.caller)) return
    // Code for a page is sent only to the window of the request, and its result is discarded.
    if (read.type === 'execute')
      void this.ask(read).catch((error: unknown) =>
        this.#options.log.info(
          { error, plugin: this.#options.plugin.id },
          'code of a plugin for a window was not run',
        ),
      )
    else if (this.#options.tell) this.#options.tell(read)
    else this.#options.origin.tell(read)
  }

  /**
   * `__event_call__`: resolves with the answer of the window the request came from; the question is
   * withdrawn when the signal aborts.
   */
  async ask(event: unknown, signal?: AbortSignal): Promise<unknown> {
    const read = toPluginEvent(event)
    if (!read) throw named('ValueError', 'An event is an object with "type" and "data".')
    if (!this.#options.origin) throw named('RuntimeError', 'No user can be asked.')
    if (GATEWAY_CALLS.has(read.type))
      throw named('PermissionError', `Only the gateway itself may ask a window for "${read.type}".`)
    if (read.type === 'execute') await this.#requireExecutable(read)
    const ended = signal
      ? AbortSignal.any([this.#options.origin.signal, signal])
      : this.#options.origin.signal
    try {
      if (namesLostSession(this.#options.origin)) {
        await sleep(this.#options.callTimeout(), undefined, { signal: ended, ref: false })
        throw new Error('No window answered in time.')
      }
      return await this.#options.origin.ask(toPluginCall(read), ended)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      throw named(/in time/.test(message) ? 'TimeoutError' : 'RuntimeError', message)
    }
  }

  async #requireExecutable({ data }: PluginEvent): Promise<void> {
    if (!(await this.#options.mayExecute())) {
      throw named(
        'PermissionError',
        'Running code in the page is switched off, or this plugin was not installed by an administrator.',
      )
    }
    const code =
      isRecord(data) && typeof data['code'] === 'string'
        ? data['code'].slice(0, LONGEST_LOGGED_CODE)
        : ''
    const place = {
      chat_id: this.#options.origin?.chatId,
      user_id: this.#options.origin?.caller.userId,
      session_id: this.#options.origin?.sessionId,
    }
    this.#options.log.warn(
      {
        audit: 'plugin_execute',
        plugin: this.#options.plugin.id,
        store: this.#options.plugin.store,
        ...place,
        code,
      },
      'a plugin runs code in a window',
    )
  }
}

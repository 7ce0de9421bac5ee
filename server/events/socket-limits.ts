import { SOCKET_CLOSE, type PluginEvent } from '#contract/events.ts'
import { tooLarge } from '../lib/errors.ts'
import { countJsonValues } from '../lib/json/count-json-values.ts'
import type { EventsSettings } from './events-settings.ts'

const MEBIBYTE = 1024 * 1024

/** Socket that can be rejected. */
interface Refusable {
  close(code: number, reason: string): void
}

/** Limits for the number of sockets, for the frames of clients and for the size of events. */
export class SocketLimits {
  readonly #settings: EventsSettings
  readonly #waiting = new Map<string, number>()

  constructor(settings: EventsSettings) {
    this.#settings = settings
  }

  /**
   * Counts a socket that has yet to authenticate; returns false if it was closed because too many
   * from its address are waiting.
   */
  enter(address: string, webSocket: Refusable): boolean {
    const waiting = this.#waiting.get(address) ?? 0
    const most = this.#settings.get('WEBSOCKET_MAX_WAITING')
    if (waiting >= most) {
      webSocket.close(
        SOCKET_CLOSE.tooMany,
        `${most} sockets of this address wait for a sign-in, as many as WEBSOCKET_MAX_WAITING allows.`,
      )
      return false
    }
    this.#waiting.set(address, waiting + 1)
    return true
  }

  leave(address: string): void {
    const left = this.#waiting.get(address)! - 1
    if (left === 0) this.#waiting.delete(address)
    else this.#waiting.set(address, left)
  }

  /**
   * Returns true if an account with this number of open sockets may have another one; otherwise
   * closes it.
   */
  admit(open: number, webSocket: Refusable): boolean {
    const most = this.#settings.get('WEBSOCKET_MAX_PER_ACCOUNT')
    if (open < most) return true
    webSocket.close(
      SOCKET_CLOSE.tooMany,
      `This account has ${most} sockets, as many as WEBSOCKET_MAX_PER_ACCOUNT allows. Close some.`,
    )
    return false
  }

  /**
   * Returns why a frame of a client is refused; null if it may be parsed, which happens in one go. A
   * socket may send many frames a second.
   */
  explainRichness(frame: Buffer | string): string | null {
    const levels = this.#settings.get('WEBSOCKET_MAX_FRAME_DEPTH')
    // Each value and each level takes a character at least.
    if (frame.length <= levels) return null
    const values = this.#settings.get('WEBSOCKET_MAX_FRAME_VALUES')
    return countJsonValues(frame, { values, levels }) === null
      ? `A frame may have ${values} values (WEBSOCKET_MAX_FRAME_VALUES) and ${levels} levels (WEBSOCKET_MAX_FRAME_DEPTH).`
      : null
  }

  /**
   * Throws 413 for an event of a tool or a script that is longer than WEBSOCKET_MAX_EVENT_SIZE;
   * `bytes` is its size, if known.
   */
  requireFit(data: PluginEvent, bytes = Buffer.byteLength(JSON.stringify(data))): void {
    const most = this.#settings.get('WEBSOCKET_MAX_EVENT_SIZE')
    if (bytes <= most * MEBIBYTE) return
    throw tooLarge(
      `The event "${data.type.slice(0, 100)}" is larger than the ${most} MiB that WEBSOCKET_MAX_EVENT_SIZE allows.`,
    )
  }
}

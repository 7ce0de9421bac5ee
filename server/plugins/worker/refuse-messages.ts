import { tooLarge, type ServiceError } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import type { OpenRequests } from './answer-requests.ts'
import type { CallBook } from './call-book.ts'
import { workerFailure } from './faults.ts'
import type { Message } from './frames.ts'
import type { MessageBounds } from './message-bounds.ts'

export interface RefusingOptions {
  readonly id: string
  readonly book: CallBook
  readonly requests: OpenRequests
  readonly send: (message: Message) => void
  readonly bounds: () => MessageBounds
  readonly log: Logger
}

const MEBIBYTE = 1024 * 1024
/** Plugin requests that are events: sent to windows, or awaiting an answer of one. */
const EVENT_METHODS = new Set<unknown>(['event', 'event_call'])
/** Messages without which a call cannot continue. */
const OF_A_CALL = new Set<unknown>(['result', 'failure', 'open', 'item', 'c'])

/** Notifies the waiting caller that a message was too large, and the plugin if possible. */
export class Refusals {
  readonly #options: RefusingOptions

  constructor(options: RefusingOptions) {
    this.#options = options
  }

  /** Returns the reason why a message of this size is refused for its type; null if it is not. */
  explain(message: Partial<Message>, bytes: number): ServiceError | null {
    const isEvent =
      message.t === 'event' || (message.t === 'request' && EVENT_METHODS.has(message['method']))
    const { eventMebibytes: most } = this.#options.bounds()
    if (!isEvent || bytes <= most * MEBIBYTE) return null
    return tooLarge(
      `The event of the plugin is larger than the ${most} MiB that WEBSOCKET_MAX_EVENT_SIZE allows. ` +
        'Send it in parts, or ask an administrator to raise that setting.',
    )
  }

  refuse(message: Partial<Message>, refusal: ServiceError): void {
    if (message.t === 'request') return this.#options.requests.refuse(message, refusal)
    if (message.t === 'event') {
      const listeners = this.#options.book.listenersOf(message['call'], message['plugin'])
      return listeners?.onNotice?.({ t: 'notice', what: 'event', message: refusal.message })
    }
    const open = OF_A_CALL.has(message.t) ? this.#options.book.get(message['id']) : undefined
    if (!open)
      return this.#options.log.warn(
        { worker: this.#options.id, kind: message.t, reason: refusal.message },
        'a message of a plugin worker was refused',
      )
    open.settle(workerFailure('too_large', refusal.message))
    this.#options.send({ t: 'cancel', id: message['id'] })
  }
}

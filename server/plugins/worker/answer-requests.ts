import { ServiceError, tooManyRequests } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { Message } from './frames.ts'

/** Handler for requests of plugin code to the gateway. */
export type AnswerRequest = (
  method: string,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
) => Promise<unknown> | AsyncIterable<unknown>

interface OpenRequest {
  /** Id of the call it belongs to. */
  readonly call: number
  /** True for what code of an ended call may still send about its answer. */
  readonly isSpeech: boolean
  readonly controller: AbortController
  credit: number
  wake: () => void
}

const isIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

function toError(error: unknown): Record<string, unknown> {
  if (error instanceof ServiceError)
    return { type: 'ServiceError', message: error.message, status: error.status }
  if (error instanceof Error) return { type: error.name, message: error.message }
  return { type: 'Error', message: String(error) }
}

const SPEECH: ReadonlySet<unknown> = new Set(['event', 'event_call'])

export const callEnded = (): Error =>
  Object.assign(
    new Error('The call this belongs to has ended, and with it the right to ask the gateway.'),
    { name: 'CallEnded' },
  )

/**
 * Maximum number of pending requests of one worker. When their call ends, each gets a separate
 * response.
 */
const MOST_OPEN = 4096
const tooMany = (): ServiceError =>
  tooManyRequests(
    `${MOST_OPEN} requests of the process the plugin runs in are not answered yet, the most there may be. ` +
      'Wait for some of the answers before asking for more. This limit is fixed.',
    1,
  )

/** Pending requests of one worker (PROTOCOL.md, Requests of the worker). */
export class OpenRequests {
  readonly #send: (message: Message) => void
  readonly #findAnswerer: (message: Message) => AnswerRequest | null
  readonly #open = new Map<number, OpenRequest>()

  constructor(
    send: (message: Message) => void,
    findAnswerer: (message: Message) => AnswerRequest | null,
  ) {
    this.#send = send
    this.#findAnswerer = findAnswerer
  }

  begin(message: Message): void {
    const id = Number(message['id'])
    if (this.#open.size >= MOST_OPEN)
      return this.#send({ t: 'answer', id, error: toError(tooMany()) })
    // Ids increase. A second request under one id would hide the first from the end of its call.
    if (this.#open.has(id)) return
    const request: OpenRequest = {
      call: Number(message['call']),
      isSpeech: SPEECH.has(message['method']),
      controller: new AbortController(),
      credit: typeof message['credit'] === 'number' ? message['credit'] : 0,
      wake: () => undefined,
    }
    this.#open.set(id, request)
    void this.#answer(id, request, message)
  }

  /** Responds to a request with the reason why it is refused without processing. */
  refuse(message: Partial<Message>, refusal: ServiceError): void {
    this.#send({ t: 'answer', id: Number(message['id']), error: toError(refusal) })
  }

  credit(message: Message): void {
    const request = this.#open.get(Number(message['request']))
    if (!request) return
    request.credit += Number(message['n']) || 0
    request.wake()
  }

  abandon(id: number): void {
    const request = this.#open.get(id)
    this.#open.delete(id)
    request?.controller.abort()
    request?.wake()
  }

  /**
   * Nothing is answered on behalf of an ended call; with `maySpeak`, apart from events and questions
   * to the user.
   */
  endCall(call: number, maySpeak: boolean): void {
    for (const [id, request] of this.#open) {
      if (request.call !== call || (maySpeak && request.isSpeech)) continue
      this.#send({ t: 'answer', id, error: toError(callEnded()) })
      this.abandon(id)
    }
  }

  close(): void {
    for (const id of this.#open.keys()) this.abandon(id)
  }

  async #sendItems(id: number, request: OpenRequest, items: AsyncIterable<unknown>): Promise<void> {
    for await (const item of items) {
      request.controller.signal.throwIfAborted()
      while (request.credit <= 0) {
        await new Promise<void>((resolve) => (request.wake = resolve))
        request.controller.signal.throwIfAborted()
      }
      request.credit -= 1
      this.#send({ t: 'answer', id, items: [item] })
    }
  }

  async #answer(id: number, request: OpenRequest, message: Message): Promise<void> {
    try {
      const answerer = this.#findAnswerer(message)
      if (!answerer) throw callEnded()
      const params = isRecord(message['params']) ? message['params'] : {}
      const replied = answerer(String(message['method']), params, request.controller.signal)
      const value = isIterable(replied) ? replied : await replied
      if (isIterable(value)) await this.#sendItems(id, request, value)
      if (this.#open.get(id) === request)
        this.#send({ t: 'answer', id, value: isIterable(value) ? null : (value ?? null) })
    } catch (error) {
      if (this.#open.get(id) === request) this.#send({ t: 'answer', id, error: toError(error) })
    } finally {
      if (this.#open.get(id) === request) this.#open.delete(id)
    }
  }
}

import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import type { TraceReceiver } from '../config/parse-trace-receiver.ts'
import type { Logger } from '../lib/logger.ts'
import {
  createOutgoingTarget,
  StaleConnectionError,
  type OutgoingReply,
} from '../lib/outgoing/outgoing.ts'

type Done = Parameters<SpanExporter['export']>[1]
type Serialize = (spans: ReadableSpan[]) => Uint8Array | undefined

const LIMIT_MILLISECONDS = 10_000
const CONNECT_MILLISECONDS = 3000
/** The response of a receiver is ignored; its size is limited. */
const REPLY_BYTES = 64 * 1024
const COMPLAIN_MILLISECONDS = 600_000
const SUCCESS = 0
const FAILED = 1

/**
 * Sends spans over the gateway's own connections, which are subject to proxies, sealed mode and the
 * list of outgoing connections. Spans that cannot be sent are lost: nothing waits for them.
 */
export class SpanSender implements SpanExporter {
  readonly #receiver: TraceReceiver
  readonly #serialize: Serialize
  readonly #log: Logger
  readonly #target
  readonly #closing = new AbortController()
  readonly #sending = new Set<Promise<void>>()
  #complainedAt = Number.NEGATIVE_INFINITY

  constructor(receiver: TraceReceiver, serialize: Serialize, log: Logger) {
    this.#receiver = receiver
    this.#serialize = serialize
    this.#log = log
    this.#target = createOutgoingTarget(receiver.origin, {
      connectMilliseconds: CONNECT_MILLISECONDS,
      purpose: { kind: 'traces' },
    })
  }

  export(spans: ReadableSpan[], done: Done): void {
    const sending = this.#try(spans, done)
    this.#sending.add(sending)
    void sending.finally(() => this.#sending.delete(sending))
  }

  async forceFlush(): Promise<void> {
    await Promise.all(this.#sending)
  }

  /** Aborts the requests in progress. */
  async shutdown(): Promise<void> {
    this.#closing.abort()
    await this.#target.close()
  }

  async #try(spans: ReadableSpan[], done: Done): Promise<void> {
    let code = SUCCESS
    try {
      await this.#send(spans)
    } catch (error) {
      code = FAILED
      this.#complain(error)
    }
    done({ code })
  }

  async #send(spans: ReadableSpan[]): Promise<void> {
    const body = this.#serialize(spans)
    if (body === undefined) throw new Error('The spans could not be written.')
    const limit = AbortSignal.timeout(LIMIT_MILLISECONDS)
    const signal = AbortSignal.any([limit, this.#closing.signal])
    const reply = await this.#open(Buffer.from(body), signal)
    await reply.bytes(REPLY_BYTES)
    if (reply.status < 200 || reply.status > 299)
      throw new Error(`The receiver of traces answered with status ${reply.status}.`)
  }

  async #open(body: Buffer, signal: AbortSignal): Promise<OutgoingReply> {
    const request = {
      method: 'POST',
      path: this.#receiver.path,
      headers: {
        ...this.#receiver.headers,
        'content-type': 'application/json',
        'user-agent': 'chat-gateway',
      },
      body,
      firstByteMilliseconds: LIMIT_MILLISECONDS,
      idleMilliseconds: LIMIT_MILLISECONDS,
    } as const
    try {
      return await this.#target.open(request, signal)
    } catch (error) {
      if (!(error instanceof StaleConnectionError)) throw error
      return this.#target.open({ ...request, onNewConnection: true }, signal)
    }
  }

  /** Logs only occasionally, because every batch would fail the same way. */
  #complain(error: unknown): void {
    const now = performance.now()
    if (this.#closing.signal.aborted || now - this.#complainedAt < COMPLAIN_MILLISECONDS) return
    this.#complainedAt = now
    this.#log.warn({ error }, 'traces could not be sent and were discarded')
  }
}

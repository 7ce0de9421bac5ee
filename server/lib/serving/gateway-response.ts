import type { ServerResponse as AnyResponse } from 'node:http'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import { toShortText } from '../fast/to-short-text.ts'
import type { Caller } from '../http.ts'
import { isRecord } from '../is-record.ts'
import { ServerResponse } from './node-http.ts'

/** Observes every piece of a reply as it is sent. */
export interface ReplyWatcher {
  take(piece: unknown): void
}

/** Caller of a permitted call, and its endpoint. */
export interface ServedCaller {
  readonly caller: Caller
  readonly endpoint: AnyEndpoint
}

type Handed = (this: AnyResponse, ...given: unknown[]) => unknown
const plain = ServerResponse.prototype as unknown as Record<'writeHead' | 'write' | 'end', Handed>

/**
 * Reply of every call. Node creates replies by their class; methods replaced on single replies
 * would give each a separate hidden class, which costs streams of many pieces a tenth of their
 * speed.
 */
export class GatewayResponse extends ServerResponse {
  /** Incremented by every reply that starts or ends. */
  static activity = 0

  requestId = ''
  /** `performance.now()` when the call arrived. */
  startedAt = 0
  watcher: ReplyWatcher | null = null
  /** Null until the call is permitted, and for calls without a caller. */
  served: ServedCaller | null = null
  hasWritten = false

  /**
   * Adds the headers common to all replies; `X-Process-Time` is the time in whole seconds until the
   * reply started.
   */
  override writeHead(...given: unknown[]): this {
    GatewayResponse.activity += 1
    const own: Record<string, string> = {
      'X-Process-Time': String(Math.floor((performance.now() - this.startedAt) / 1000)),
    }
    // @NOTE Undefined if a plain server passes its replies to express, whose prototype leads
    //   here.
    if (this.requestId) {
      own['X-Request-Id'] = this.requestId
      own['X-Content-Type-Options'] = 'nosniff'
      // SDKs of the messages API, which send this header with every call, read it under this name.
      if (this.req.headers['anthropic-version'] !== undefined) own['Request-Id'] = this.requestId
    }
    const last = given.at(-1)
    // Headers passed in a single object are written directly; once one was set before, Node copies
    // each of them.
    if (isRecord(last) && this.getHeaderNames().length === 0)
      given[given.length - 1] = { ...own, ...last }
    else for (const name of Object.keys(own)) this.setHeader(name, own[name]!)
    return plain.writeHead.apply(this, given) as this
  }

  override write(...given: unknown[]): boolean {
    this.watcher?.take(given[0])
    this.hasWritten = true
    return plain.write.apply(this, given) as boolean
  }

  override end(...given: unknown[]): this {
    GatewayResponse.activity += 1
    const [piece] = given
    this.watcher?.take(piece)
    const text = this.hasWritten ? null : toShortText(piece)
    if (text === null) return plain.end.apply(this, given) as this
    return plain.end.call(this, text, 'latin1', ...given.slice(1)) as this
  }
}

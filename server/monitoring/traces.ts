import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Span, Tracer } from '@opentelemetry/api'
import type { TracerProvider } from '@opentelemetry/sdk-trace'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import type { TraceReceiver } from '../config/parse-trace-receiver.ts'
import type { CallWatcher } from '../lib/serving/call-watcher.ts'
import type { Logger } from '../lib/logger.ts'
import { traceOutgoing, type BeginSpan } from '../lib/outgoing/trace-outgoing.ts'
import { loadTraces, type TraceLibrary } from './load-traces.ts'
import { methodOf, routeOf, statusOf } from './name-call.ts'
import { SpanSender } from './send-spans.ts'
import { parseTraceParent, toTraceParent } from './trace-parent.ts'

export interface TracesOptions {
  readonly receiver: TraceReceiver
  readonly version: string
  readonly log: Logger
}

/** Load balancers request these every few seconds, which would bury everything else. */
const UNTRACED = /^\/(health|ready)\b/
/** Time limit for sending the last spans; an unavailable receiver must not delay the shutdown. */
const CLOSE_MILLISECONDS = 200
/** Maximum number of spans waiting in memory; further ones are lost. */
const MOST_WAITING = 2048

interface Traced {
  readonly span: Span
  endpoint?: AnyEndpoint
}

/**
 * Traces of calls and of the provider requests they cause. They contain names of routes and hosts,
 * statuses and times: never a URL with its ids, a header, a body or a user.
 */
export class Traces implements CallWatcher {
  readonly #library: TraceLibrary
  readonly #provider: TracerProvider
  readonly #tracer: Tracer
  readonly #sender: SpanSender
  readonly #current = new AsyncLocalStorage<Span>()
  readonly #traced = new WeakMap<ServerResponse, Traced>()
  readonly #endOutgoing: () => void

  static async load(options: TracesOptions): Promise<Traces> {
    return new Traces(await loadTraces(), options)
  }

  private constructor(library: TraceLibrary, { receiver, version, log }: TracesOptions) {
    this.#library = library
    this.#sender = new SpanSender(
      receiver,
      (spans) => library.serializer.serializeRequest(spans),
      log,
    )
    this.#provider = new library.TracerProvider({
      resource: library.toResource({
        'service.name': receiver.serviceName,
        'service.version': version,
      }),
      spanProcessors: [
        new library.BatchSpanProcessor({ exporter: this.#sender, maxQueueSize: MOST_WAITING }),
      ],
    })
    this.#tracer = this.#provider.getTracer('chat-gateway', version)
    this.#endOutgoing = traceOutgoing((call) => this.#beginOutgoing(call))
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    if (UNTRACED.test(request.url ?? '')) return
    const { ROOT_CONTEXT, SpanKind, trace } = this.#library
    const method = methodOf(request)
    const caller = parseTraceParent(request.headers['traceparent'])
    const span = this.#tracer.startSpan(
      method,
      { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } },
      caller ? trace.setSpanContext(ROOT_CONTEXT, caller) : ROOT_CONTEXT,
    )
    const traced: Traced = { span }
    this.#traced.set(response, traced)
    response.on('close', () => this.#end(response, traced, method))
  }

  within(response: ServerResponse, answer: () => void): void {
    const traced = this.#traced.get(response)
    if (traced) this.#current.run(traced.span, answer)
    else answer()
  }

  name(response: ServerResponse, endpoint: AnyEndpoint): void {
    const traced = this.#traced.get(response)
    if (traced) traced.endpoint = endpoint
  }

  /** Sends the remaining spans, within a short time limit. */
  async close(): Promise<void> {
    this.#endOutgoing()
    const limit = setTimeout(() => void this.#sender.shutdown(), CLOSE_MILLISECONDS)
    // Spans that can no longer be sent are lost.
    await this.#provider.shutdown().catch(() => undefined)
    clearTimeout(limit)
  }

  #end(response: ServerResponse, { span, endpoint }: Traced, method: string): void {
    const route = routeOf(endpoint)
    const status = statusOf(response)
    span.updateName(`${method} ${route}`)
    span.setAttribute('http.route', route)
    span.setAttribute('http.response.status_code', Number(status) || response.statusCode)
    if (status >= '500') this.#fail(span)
    span.end()
  }

  #fail(span: Span): void {
    span.setStatus({ code: this.#library.SpanStatusCode.ERROR })
  }

  readonly #beginOutgoing = ({ method, origin }: Parameters<BeginSpan>[0]) => {
    const { ROOT_CONTEXT, SpanKind, trace } = this.#library
    const around = this.#current.getStore()
    const port = Number(origin.port) || (origin.protocol === 'https:' ? 443 : 80)
    const span = this.#tracer.startSpan(
      method,
      {
        kind: SpanKind.CLIENT,
        attributes: {
          'http.request.method': method,
          'server.address': origin.hostname,
          'server.port': port,
        },
      },
      around ? trace.setSpan(ROOT_CONTEXT, around) : ROOT_CONTEXT,
    )
    return {
      headers: { traceparent: toTraceParent(span.spanContext()) },
      answered: (status: number) => {
        span.setAttribute('http.response.status_code', status)
        if (status >= 400) this.#fail(span)
      },
      ended: (error: Error | null) => {
        if (error) {
          span.setAttribute('error.type', 'code' in error ? String(error.code) : error.name)
          this.#fail(span)
        }
        span.end()
      },
    }
  }
}

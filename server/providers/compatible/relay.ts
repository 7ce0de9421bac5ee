import type { ServiceError } from '../../lib/errors.ts'
import type { OutgoingReply } from '../../lib/outgoing.ts'
import { createCallerWriter } from '../caller-writer.ts'
import type { RelayCall } from '../provider.ts'
import { notAnApi, type Upstream } from '../upstream.ts'
import { callCancelled, toNetworkFault, type FaultContext } from '../upstream-faults.ts'
import { createFrameGuard } from './guard-frames.ts'

const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
}
const END_FRAME = 'data: [DONE]\n\n'
const OPENING_BRACE = 123
const WHOLE_BYTES = 64 * 1024 * 1024

/** The last frames of a stream that broke off: a caller's SDK shows the sentence, and the stream still ends as promised. */
function toBrokenEnd(fault: ServiceError): string {
  return `\ndata: ${JSON.stringify({ error: { message: fault.message, type: 'server_error', code: fault.code } })}\n\n${END_FRAME}`
}

/** What two sides that speak the same format have agreed on. */
export interface RelayedFormat {
  readonly path: string
  /** The last frames of a stream that broke off. */
  toBrokenEnd(fault: ServiceError): string
  /** Looks at every piece of a stream, and says what its upstream left out that just ended it. */
  createEnding(): { see(bytes: Buffer): void; missing(faults: FaultContext): string }
}

const chatCompletions: RelayedFormat = {
  path: '/chat/completions',
  toBrokenEnd,
  createEnding: () => ({ see: () => undefined, missing: () => `\n${END_FRAME}` }),
}

/** Hands a stateless call to the upstream and its reply to the caller as bytes. */
export async function relay(upstream: Upstream, call: RelayCall, format = chatCompletions): Promise<void> {
  const request = { path: format.path, headers: call.headers, body: call.body, isWhole: call.stream !== true }
  const reply = await upstream.open(request, call.signal)
  return isStream(reply, call) ? relayStream(reply, call, { upstream, format }) : relayWhole(reply, call, upstream)
}

/** Some upstreams call their stream something else; a JSON answer to a streaming call stays one. */
function isStream(reply: OutgoingReply, call: RelayCall): boolean {
  const type = reply.headers['content-type'] ?? ''
  return type.startsWith('text/event-stream') || (call.stream === true && !type.includes('json'))
}

async function relayWhole(reply: OutgoingReply, { response, signal }: RelayCall, { faults }: Upstream): Promise<void> {
  const bytes = await reply.bytes(WHOLE_BYTES).catch((error: unknown) => {
    throw signal.aborted ? callCancelled() : toNetworkFault(error, faults)
  })
  if (bytes[0] !== OPENING_BRACE) throw notAnApi(faults)
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
    'Cache-Control': 'no-store',
  })
  response.end(bytes)
}

interface StreamSide {
  readonly upstream: Upstream
  readonly format: RelayedFormat
}

function relayStream(reply: OutgoingReply, { response, signal }: RelayCall, { upstream: { faults }, format }: StreamSide): Promise<void> {
  const guard = createFrameGuard()
  const ending = format.createEnding()
  let hasEnded = false
  const caller = createCallerWriter(response, reply)

  return new Promise((resolve) => {
    function begin(): void {
      if (!response.headersSent) response.writeHead(200, STREAM_HEADERS)
    }

    function finish(last: Buffer | string): void {
      hasEnded = true
      // An answer that came all at once needs no chunks.
      if (!response.headersSent) response.writeHead(200, { ...STREAM_HEADERS, 'Content-Length': Buffer.byteLength(last) })
      caller.end(last)
      resolve()
    }

    function breakOff(error: unknown): void {
      if (!hasEnded) finish(signal.aborted ? '' : format.toBrokenEnd(toNetworkFault(error, faults)))
    }

    function onData(chunk: Buffer): boolean {
      if (hasEnded) {
        reply.abort()
        return true
      }
      try {
        const bytes = guard.push(chunk)
        ending.see(bytes)
        if (guard.isDone()) finish(bytes)
        else if (bytes.length > 0) {
          begin()
          caller.write(bytes)
        }
      } catch (error) {
        breakOff(error)
        reply.abort()
      }
      return true
    }

    function onEnd(): void {
      if (hasEnded) return
      const rest = guard.end()
      ending.see(rest)
      finish(guard.isDone() ? rest : Buffer.concat([rest, Buffer.from(ending.missing(faults))]))
    }

    reply.read({ onData, onEnd, onFailure: breakOff })
    // A first piece that is already here takes the head with it.
    if (hasEnded || !caller.isEmpty()) return
    begin()
    response.flushHeaders()
  })
}

import type { ServerResponse } from 'node:http'
import type { ServiceError } from '../../lib/errors.ts'
import type { OutgoingReply } from '../../lib/outgoing.ts'
import type { RelayCall } from '../provider.ts'
import { notAnApi, type Upstream } from '../upstream.ts'
import { callCancelled, toNetworkFault } from '../upstream-faults.ts'
import { createFrameGuard } from './guard-frames.ts'

const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
}
const END_FRAME = 'data: [DONE]\n\n'
const OPENING_BRACE = 123
const WHOLE_BYTES = 64 * 1024 * 1024
/** A reader that takes nothing for this long is dropped. */
const SLOW_READER_MILLISECONDS = 60_000

/** The last frames of a stream that broke off: a caller's SDK shows the sentence, and the stream still ends as promised. */
function toBrokenEnd(fault: ServiceError): string {
  return `\ndata: ${JSON.stringify({ error: { message: fault.message, type: 'server_error', code: fault.code } })}\n\n${END_FRAME}`
}

/** Hands a stateless call to the upstream and its reply to the caller as bytes. */
export async function relay(upstream: Upstream, call: RelayCall): Promise<void> {
  const request = { path: '/chat/completions', body: call.body, isWhole: call.stream !== true }
  const reply = await upstream.open(request, call.signal)
  return isStream(reply, call) ? relayStream(reply, call, upstream) : relayWhole(reply, call, upstream)
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

/** Writes bytes to a caller; holds the upstream back for a slow one and drops one that takes nothing for a minute. */
function createCallerWriter(response: ServerResponse, reply: OutgoingReply) {
  let pending: Buffer[] = []
  let slow: NodeJS.Timeout | undefined

  const take = (): Buffer => {
    const bytes = pending.length === 1 ? pending[0]! : Buffer.concat(pending)
    pending = []
    return bytes
  }

  const onDrain = (): void => {
    clearTimeout(slow)
    reply.resume()
  }

  function flush(): void {
    if (pending.length === 0 || response.destroyed || response.write(take())) return
    reply.pause()
    clearTimeout(slow)
    slow = setTimeout(() => response.destroy(), SLOW_READER_MILLISECONDS).unref()
  }

  response.on('drain', onDrain)
  return {
    isEmpty: () => pending.length === 0,
    /** What one read of the upstream brought is written together, still in the same turn of the event loop. */
    write(bytes: Buffer): void {
      if (bytes.length === 0) return
      if (pending.push(bytes) === 1) queueMicrotask(flush)
    },
    end(last: Buffer | string): void {
      clearTimeout(slow)
      response.off('drain', onDrain)
      if (last.length > 0) pending.push(typeof last === 'string' ? Buffer.from(last) : last)
      if (!response.destroyed) response.end(take())
    },
  }
}

function relayStream(reply: OutgoingReply, { response, signal }: RelayCall, { faults }: Upstream): Promise<void> {
  const guard = createFrameGuard()
  let hasEnded = false
  response.writeHead(200, STREAM_HEADERS)
  const caller = createCallerWriter(response, reply)

  return new Promise((resolve) => {
    function finish(last: Buffer | string): void {
      hasEnded = true
      caller.end(last)
      resolve()
    }

    function breakOff(error: unknown): void {
      if (!hasEnded) finish(signal.aborted ? '' : toBrokenEnd(toNetworkFault(error, faults)))
    }

    function onData(chunk: Buffer): boolean {
      if (hasEnded) {
        reply.abort()
        return true
      }
      try {
        const bytes = guard.push(chunk)
        if (guard.isDone()) finish(bytes)
        else caller.write(bytes)
      } catch (error) {
        breakOff(error)
        reply.abort()
      }
      return true
    }

    function onEnd(): void {
      if (hasEnded) return
      const rest = guard.end()
      finish(guard.isDone() ? rest : Buffer.concat([rest, Buffer.from(`\n${END_FRAME}`)]))
    }

    reply.read({ onData, onEnd, onFailure: breakOff })
    // A first piece that is already here takes the head with it.
    if (!hasEnded && caller.isEmpty()) response.flushHeaders()
  })
}

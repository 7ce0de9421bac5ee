import { isUtf8 } from 'node:buffer'
import type { ServerResponse } from 'node:http'
import { upstreamFailed, type ServiceError } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { OutgoingReply } from '../../lib/outgoing.ts'
import { createCallerWriter } from '../caller-writer.ts'
import type { RelayCall } from '../provider.ts'
import type { Upstream } from '../upstream.ts'
import { callCancelled, incomplete, toNetworkFault, toReportedFault, type FaultContext } from '../upstream-faults.ts'
import { isEventStream } from './collect-events.ts'
import { createFrameGuard, type GuardedFormat } from './guard-frames.ts'
import { parseWhole } from './parse-whole.ts'
import { completionsFormat } from './relay-completions.ts'

const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
}
const WHOLE_BYTES = 64 * 1024 * 1024

/** What two sides that speak the same format have agreed on. */
export interface RelayedFormat extends GuardedFormat {
  readonly path: string
  /** Ends a stream that told that it is finished, or an error of its own, and left out the end mark. */
  toEnd(hasFailed: boolean): string
  /** The last frames of a stream that broke off. */
  toBrokenEnd(fault: ServiceError): string
  /** A whole answer as the stream the caller asked for; null where that cannot be made. */
  toStream(document: Record<string, unknown>, faults: FaultContext): string | null
  /** A stream as the whole answer the caller asked for; null where that cannot be made. */
  toDocument(events: Buffer, faults: FaultContext): object | null
}

interface Relaying {
  readonly call: RelayCall
  readonly faults: FaultContext
  readonly format: RelayedFormat
}

/** Hands a stateless call to the upstream and its reply to the caller as bytes. */
export async function relay(upstream: Upstream, call: RelayCall, format: RelayedFormat = completionsFormat): Promise<void> {
  const request = { path: format.path, headers: call.headers, body: call.body, isWhole: call.stream !== true }
  const reply = await upstream.open(request, call.signal)
  const relaying = { call, faults: upstream.faults, format }
  const type = reply.headers['content-type'] ?? ''
  // Some upstreams call their stream something else.
  if (call.stream === true && !type.includes('json')) return relayStream(reply, relaying)
  return relayWhole(reply, relaying)
}

async function relayWhole(reply: OutgoingReply, { call, faults, format }: Relaying): Promise<void> {
  const { response, signal } = call
  const bytes = await reply.bytes(WHOLE_BYTES).catch((error: unknown) => {
    throw signal.aborted ? callCancelled() : toNetworkFault(error, faults)
  })
  if (isEventStream(bytes))
    return call.stream ? sendStream(response, passAll(bytes, faults, format)) : sendDocument(response, collect(bytes, faults, format))
  const document = await parseWhole(bytes, faults)
  if (isRecord(document) && document['error'] != null) throw toReportedFault(document['error'], faults)
  if (call.stream !== true) return sendDocument(response, isUtf8(bytes) ? bytes : Buffer.from(bytes.toString('utf8')))
  const events = isRecord(document) ? format.toStream(document, faults) : null
  if (events === null) throw otherKind(faults, 'a whole answer although a stream was asked for')
  sendStream(response, Buffer.from(events))
}

const otherKind = ({ name }: FaultContext, what: string): ServiceError =>
  upstreamFailed(`The connection "${name}" sent ${what}.`, { code: 'upstream_other_kind' })

function collect(bytes: Buffer, faults: FaultContext, format: RelayedFormat): Buffer {
  const document = format.toDocument(bytes, faults)
  if (document === null) throw otherKind(faults, 'a stream although a whole answer was asked for')
  return Buffer.from(JSON.stringify(document))
}

/** A stream that came under the name of a document. */
function passAll(bytes: Buffer, faults: FaultContext, format: RelayedFormat): Buffer {
  const guard = createFrameGuard(format)
  const passed = [guard.push(bytes), guard.end()]
  const ending = guard.isDone()
    ? ''
    : guard.isComplete() || guard.hasFailed()
      ? format.toEnd(guard.hasFailed())
      : format.toBrokenEnd(incomplete(faults))
  return Buffer.concat([...passed, Buffer.from(ending)])
}

function sendDocument(response: ServerResponse, bytes: Buffer): void {
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': bytes.length, 'Cache-Control': 'no-store' }
  response.writeHead(200, headers)
  response.end(bytes)
}

function sendStream(response: ServerResponse, bytes: Buffer): void {
  response.writeHead(200, { ...STREAM_HEADERS, 'Content-Length': bytes.length })
  response.end(bytes)
}

function relayStream(reply: OutgoingReply, { call: { response, signal }, faults, format }: Relaying): Promise<void> {
  const guard = createFrameGuard(format)
  let hasEnded = false
  const caller = createCallerWriter(response, reply)

  return new Promise((resolve) => {
    function begin(): void {
      if (!response.headersSent) response.writeHead(200, STREAM_HEADERS)
    }

    function finish(last: Buffer): void {
      hasEnded = true
      // An answer that came all at once needs no chunks.
      if (!response.headersSent && caller.isEmpty()) response.writeHead(200, { ...STREAM_HEADERS, 'Content-Length': last.length })
      else begin()
      caller.end(last)
      resolve()
    }

    /** Ends as promised: clean only when nothing of the answer is missing. */
    function endWith(fault: ServiceError, rest: Buffer): void {
      if (guard.isDone()) return finish(rest)
      const ending = guard.isComplete() || guard.hasFailed() ? format.toEnd(guard.hasFailed()) : format.toBrokenEnd(fault)
      finish(Buffer.concat([rest, Buffer.from(ending)]))
    }

    function breakOff(error: unknown): void {
      if (hasEnded) return
      if (signal.aborted) finish(Buffer.alloc(0))
      else endWith(toNetworkFault(error, faults), guard.end())
    }

    function onData(chunk: Buffer): boolean {
      if (chunk.length === 0) return true
      if (hasEnded) {
        reply.abort()
        return true
      }
      const bytes = guard.push(chunk)
      if (guard.isDone()) finish(bytes)
      else if (bytes.length > 0) {
        begin()
        caller.write(bytes)
      }
      return true
    }

    function onEnd(): void {
      if (!hasEnded) endWith(incomplete(faults), guard.end())
    }

    reply.read({ onData, onEnd, onFailure: breakOff })
    // A first piece that is already here takes the head with it.
    if (hasEnded || !caller.isEmpty()) return
    begin()
    response.flushHeaders()
  })
}

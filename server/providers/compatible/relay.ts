import { isUtf8 } from 'node:buffer'
import type { ServerResponse } from 'node:http'
import { upstreamFailed, type ServiceError } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { OutgoingReply } from '../../lib/outgoing.ts'
import type { RelayCall } from '../provider.ts'
import type { Upstream } from '../upstream.ts'
import { callCancelled, toNetworkFault, toReportedFault, withoutAnswer, type FaultContext } from '../upstream-faults.ts'
import { isEventStream } from './collect-events.ts'
import { parseWhole, type WholeDocument } from './parse-whole.ts'
import { completionsFormat } from './relay-completions.ts'
import { relayStream } from './relay-stream.ts'
import type { RelayedFormat } from './relayed-format.ts'

const WHOLE_BYTES = 64 * 1024 * 1024

/** Whoever takes a reply: whether as a stream, and where it goes. */
export type Taker = Pick<RelayCall, 'stream' | 'response' | 'signal'>

interface Relaying {
  readonly faults: FaultContext
  readonly format: RelayedFormat
}

/** Hands a stateless call to the upstream and its reply to the caller as bytes. */
export async function relay(upstream: Upstream, call: RelayCall, format: RelayedFormat = completionsFormat): Promise<void> {
  const request = { path: format.path, headers: call.headers, body: call.body, isWhole: call.stream !== true, notes: call.notes }
  return relayReply(await upstream.open(request, call.signal), call, { faults: upstream.faults, format })
}

/** Hands on the reply to a stateless call in the kind its caller asked for. Throws only before its head was written. */
export function relayReply(reply: OutgoingReply, taker: Taker, relaying: Relaying): Promise<void> {
  if (taker.stream !== true) return relayWhole(reply, taker, relaying)
  const { response, signal } = taker
  return relayStream(reply, { response, signal, ...relaying, toStream: (document) => toStream(document, relaying) })
}

async function relayWhole(reply: OutgoingReply, { response, signal }: Taker, { faults, format }: Relaying): Promise<void> {
  const bytes = await readWhole(reply, signal, faults)
  if (isEventStream(bytes)) return sendDocument(response, collect(bytes, faults, format))
  const document = await parseWhole(bytes, faults)
  if (document) requireAnswer(document, { faults, format })
  sendWhole(response, bytes, document)
}

/** The bytes of a whole answer. */
export function readWhole(reply: OutgoingReply, signal: AbortSignal, faults: FaultContext): Promise<Buffer> {
  return reply.bytes(WHOLE_BYTES).catch((error: unknown) => {
    throw signal.aborted ? callCancelled() : toNetworkFault(error, faults)
  })
}

/** The fields of a document that holds an answer. Throws the error it holds instead. */
function requireAnswer({ value }: WholeDocument, { faults, format }: Relaying): Record<string, unknown> {
  if (!isRecord(value)) throw withoutAnswer(faults)
  if (value['error'] != null) throw toReportedFault(value['error'], faults)
  if (!format.isAnswer(value)) throw withoutAnswer(faults)
  return value
}

async function toStream(bytes: Buffer, { faults, format }: Relaying): Promise<string> {
  const document = await parseWhole(bytes, faults)
  const events = document && format.toStream(requireAnswer(document, { faults, format }), faults)
  if (events === null) throw otherKind(faults, 'a whole answer although a stream was asked for')
  return events
}

const otherKind = ({ name }: FaultContext, what: string): ServiceError =>
  upstreamFailed(`The connection "${name}" sent ${what}.`, { code: 'upstream_other_kind' })

function collect(bytes: Buffer, faults: FaultContext, format: RelayedFormat): Buffer {
  const document = format.toDocument(bytes, faults)
  if (document === null) throw otherKind(faults, 'a stream although a whole answer was asked for')
  return Buffer.from(JSON.stringify(document))
}

/** Sends the bytes of a whole answer as they came, unless they would not be valid JSON. */
export function sendWhole(response: ServerResponse, bytes: Buffer, document: WholeDocument | null): void {
  if (document?.isMended) return sendDocument(response, Buffer.from(JSON.stringify(document.value)))
  sendDocument(response, isUtf8(bytes) ? bytes : Buffer.from(bytes.toString('utf8')))
}

function sendDocument(response: ServerResponse, bytes: Buffer): void {
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': bytes.length, 'Cache-Control': 'no-store' }
  response.writeHead(200, headers)
  response.end(bytes)
}

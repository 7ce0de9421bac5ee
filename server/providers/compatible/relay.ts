import { isUtf8 } from 'node:buffer'
import type { ServerResponse } from 'node:http'
import { upstreamFailed, type ServiceError } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { OutgoingReply } from '../../lib/outgoing.ts'
import type { RelayCall } from '../provider.ts'
import type { Upstream } from '../upstream.ts'
import { callCancelled, toNetworkFault, toReportedFault, type FaultContext } from '../upstream-faults.ts'
import { isEventStream } from './collect-events.ts'
import { parseWhole } from './parse-whole.ts'
import { completionsFormat } from './relay-completions.ts'
import { relayStream } from './relay-stream.ts'
import type { RelayedFormat } from './relayed-format.ts'

const WHOLE_BYTES = 64 * 1024 * 1024

interface Relaying {
  readonly call: RelayCall
  readonly faults: FaultContext
  readonly format: RelayedFormat
}

/** Hands a stateless call to the upstream and its reply to the caller as bytes. */
export async function relay(upstream: Upstream, call: RelayCall, format: RelayedFormat = completionsFormat): Promise<void> {
  const request = { path: format.path, headers: call.headers, body: call.body, isWhole: call.stream !== true }
  const reply = await upstream.open(request, call.signal)
  const { faults } = upstream
  if (call.stream !== true) return relayWhole(reply, { call, faults, format })
  const { response, signal } = call
  return relayStream(reply, { response, signal, faults, format, toStream: (document) => toStream(document, { faults, format }) })
}

async function relayWhole(reply: OutgoingReply, { call, faults, format }: Relaying): Promise<void> {
  const { response, signal } = call
  const bytes = await reply.bytes(WHOLE_BYTES).catch((error: unknown) => {
    throw signal.aborted ? callCancelled() : toNetworkFault(error, faults)
  })
  if (isEventStream(bytes)) return sendDocument(response, collect(bytes, faults, format))
  await parseAnswer(bytes, faults)
  sendDocument(response, isUtf8(bytes) ? bytes : Buffer.from(bytes.toString('utf8')))
}

/** The document of an answer, as far as it is parsed; throws the error it holds. */
async function parseAnswer(bytes: Buffer, faults: FaultContext): Promise<unknown> {
  const document = await parseWhole(bytes, faults)
  if (isRecord(document) && document['error'] != null) throw toReportedFault(document['error'], faults)
  return document
}

async function toStream(bytes: Buffer, { faults, format }: Omit<Relaying, 'call'>): Promise<string> {
  const document = await parseAnswer(bytes, faults)
  const events = isRecord(document) ? format.toStream(document, faults) : null
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

function sendDocument(response: ServerResponse, bytes: Buffer): void {
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': bytes.length, 'Cache-Control': 'no-store' }
  response.writeHead(200, headers)
  response.end(bytes)
}

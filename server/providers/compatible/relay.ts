import { isUtf8 } from 'node:buffer'
import type { ServerResponse } from 'node:http'
import { upstreamFailed, type ServiceError } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import { giveLargeMemoryBack } from '../../lib/bytes/large-memory.ts'
import { withoutLongTexts } from '../../lib/json/long-texts.ts'
import type { OutgoingReply } from '../../lib/outgoing/outgoing.ts'
import { isUtf8Outside, PlainStretch } from '../../lib/fast/plain-stretch.ts'
import { whenSent } from '../../lib/serving/when-sent.ts'
import { serializeBody } from '../upstream/convert-body.ts'
import { withoutMark } from '../../lib/bytes/without-mark.ts'
import type { RelayCall } from '../provider.ts'
import type { Upstream } from '../upstream/upstream.ts'
import {
  callCancelled,
  toNetworkFault,
  toReportedFault,
  withoutAnswer,
  type FaultContext,
} from '../upstream/upstream-faults.ts'
import { isEventStream } from './collect-events.ts'
import { parseObject } from './parse-frame.ts'
import { parseWhole, type WholeDocument } from './parse-whole.ts'
import { completionsFormat } from './relay-completions.ts'
import { relayStream } from './relay-stream.ts'
import type { RelayedFormat } from './relayed-format.ts'

/**
 * Maximum size of an answer that is converted into a stream: its single event would exceed the
 * event limit, and is written in one go.
 */
const MOST_CONVERTED = 2 * 1024 * 1024
/** Size from which answers are likely to hold an image; longer ones are read in slices. */
const LARGE_ANSWER = 256 * 1024
const MOST_LOOKED_THROUGH = 16 * 1024 * 1024
const WHOLE_BYTES = 64 * 1024 * 1024

/** Receiver of a reply: whether it wants a stream, and its connection. */
export type Taker = Pick<RelayCall, 'stream' | 'response' | 'signal'>

interface Relaying {
  readonly faults: FaultContext
  readonly format: RelayedFormat
}

/** Relays a stateless call to the upstream and its reply to the caller as bytes. */
export async function relay(
  upstream: Upstream,
  call: RelayCall,
  format: RelayedFormat = completionsFormat,
): Promise<void> {
  const request = {
    path: format.path,
    headers: call.headers,
    body: call.body,
    isWhole: call.stream !== true,
    notes: call.notes,
  }
  return relayReply(await upstream.open(request, call.signal), call, {
    faults: upstream.faults,
    format,
  })
}

/**
 * Relays the reply to a stateless call in the form its caller asked for. Throws only before the
 * head of the reply was written.
 */
export function relayReply(reply: OutgoingReply, taker: Taker, relaying: Relaying): Promise<void> {
  if (taker.stream !== true) return relayWhole(reply, taker, relaying)
  const { response, signal } = taker
  return relayStream(reply, {
    response,
    signal,
    ...relaying,
    toStream: (document) => toStream(document, relaying),
  })
}

async function relayWhole(
  reply: OutgoingReply,
  { response, signal }: Taker,
  { faults, format }: Relaying,
): Promise<void> {
  const plain = new PlainStretch()
  const bytes = await readWhole(reply, signal, faults, plain)
  if (isEventStream(bytes)) return sendDocument(response, await collect(bytes, faults, format))
  if (isLargeAsWritten(bytes, plain, { faults, format })) {
    whenSent(response, () => giveLargeMemoryBack(bytes))
    return sendDocument(response, bytes)
  }
  const document = await parseWhole(bytes, faults)
  const value = requireAnswer(document, { faults, format })
  await sendWhole(response, bytes, {
    value,
    isMended: document.isMended || value !== document.value,
  })
}

/**
 * Returns true if an answer with, for example, an image is relayed unchanged: its fields are
 * checked without creating strings of megabytes.
 */
function isLargeAsWritten(
  bytes: Buffer,
  plain: PlainStretch,
  { faults, format }: Relaying,
): boolean {
  if (bytes.length < LARGE_ANSWER || bytes.length > MOST_LOOKED_THROUGH) return false
  const text = withoutLongTexts(bytes, plain)?.toString('utf8')
  const value = text === undefined ? null : parseObject(text)
  return (
    value !== null &&
    value['error'] == null &&
    format.mendDocument(value, faults) === value &&
    isUtf8Outside(plain, bytes)
  )
}

/** Reads the bytes of a whole answer; `plain` receives them as they arrive. */
export function readWhole(
  reply: OutgoingReply,
  signal: AbortSignal,
  faults: FaultContext,
  plain?: PlainStretch,
): Promise<Buffer> {
  const watch = plain && ((piece: Buffer) => void plain.push(piece))
  return reply.bytes(WHOLE_BYTES, watch).catch((error: unknown) => {
    throw signal.aborted ? callCancelled() : toNetworkFault(error, faults)
  })
}

/**
 * Returns the fields of a document that holds an answer, in a form SDKs read. Throws the error it
 * holds instead.
 */
function requireAnswer(
  { value }: WholeDocument,
  { faults, format }: Relaying,
): Record<string, unknown> {
  if (!isRecord(value)) throw withoutAnswer(faults)
  if (value['error'] != null) throw toReportedFault(value['error'], faults)
  const answer = format.mendDocument(value, faults)
  if (answer === null) throw withoutAnswer(faults)
  return answer
}

async function toStream(bytes: Buffer, { faults, format }: Relaying): Promise<string> {
  const document = requireAnswer(await parseWhole(bytes, faults), { faults, format })
  const events = bytes.length > MOST_CONVERTED ? null : format.toStream(document, faults)
  if (events === null) throw otherKind(faults, 'a whole answer although a stream was asked for')
  return events
}

const otherKind = ({ name }: FaultContext, what: string): ServiceError =>
  upstreamFailed(`The connection "${name}" sent ${what}.`, { code: 'upstream_other_kind' })

async function collect(
  bytes: Buffer,
  faults: FaultContext,
  format: RelayedFormat,
): Promise<Buffer> {
  const document = await format.toDocument(bytes, faults)
  if (document === null) throw otherKind(faults, 'a stream although a whole answer was asked for')
  return serializeBody({ ...document })
}

/** Sends the bytes of a whole answer unchanged, unless they are not valid JSON. */
export async function sendWhole(
  response: ServerResponse,
  bytes: Buffer,
  { value, isMended }: WholeDocument,
): Promise<void> {
  const plain = withoutMark(bytes)
  if (!isMended)
    return sendDocument(response, isUtf8(plain) ? plain : Buffer.from(plain.toString('utf8')))
  sendDocument(
    response,
    isRecord(value) ? await serializeBody(value) : Buffer.from(JSON.stringify(value)),
  )
}

function sendDocument(response: ServerResponse, bytes: Buffer): void {
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
    'Cache-Control': 'no-store',
  }
  response.writeHead(200, headers)
  response.end(bytes)
}

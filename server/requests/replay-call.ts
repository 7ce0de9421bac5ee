import type { IncomingMessage } from 'node:http'
import { endpoints } from '#contract/endpoints.ts'
import { conflict } from '../lib/errors.ts'
import type { HttpCall } from '../lib/http.ts'
import { createOutgoingTarget, type OutgoingReply } from '../lib/outgoing/outgoing.ts'
import { isShared } from '../lib/serving/shared-connection.ts'
import { canReplay } from './describe-call.ts'
import type { CallEntry } from './record-call.ts'

/** The response. */
export interface Replayed {
  readonly status: number
  readonly milliseconds: number
  readonly content_type: string
  readonly body: string
  readonly truncated: boolean
}

const CONNECT_MILLISECONDS = 5000
const FIRST_BYTE_MILLISECONDS = 300_000
const IDLE_MILLISECONDS = 120_000
const LARGEST_REPLY = 1024 * 1024

/** Headers that belong to the original connection or body. */
const OWN_HEADERS = new Set([
  'connection',
  'content-length',
  'content-type',
  'transfer-encoding',
  'accept',
  'accept-encoding',
  'expect',
  'upgrade',
  'keep-alive',
])
/** Fields that link a completion to a chat: a replay must not overwrite the message it answered. */
const CHAT_FIELDS = [
  'chat_id',
  'id',
  'session_id',
  'parent_id',
  'message_ids',
  'user_message',
  'parent_message',
]

/**
 * Copies the caller's credential and the headers that restrict its use, so that a replay is refused
 * whatever the caller is refused.
 */
function copyHeaders({ headers }: IncomingMessage): Record<string, string> {
  const copied = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && !OWN_HEADERS.has(name) ? [[name, value] as const] : [],
  )
  return { ...Object.fromEntries(copied), 'content-type': 'application/json' }
}

/**
 * Returns the address at which the caller's own connection arrived, so that only this gateway can
 * be reached.
 */
function originOf({ socket }: IncomingMessage): string {
  const address = (socket.localAddress ?? '').replace(/^::ffff:/, '')
  return `http://${address.includes(':') ? `[${address}]` : address}:${socket.localPort}`
}

function toBody({ endpoint, bodies }: CallEntry, model: string | undefined): string {
  const body = JSON.parse(bodies!.request!.text) as Record<string, unknown>
  if (endpoint.id === endpoints.completions.chatCompletions.id)
    for (const field of CHAT_FIELDS) delete body[field]
  return JSON.stringify(model === undefined ? body : { ...body, model })
}

async function readReply(reply: OutgoingReply): Promise<{ body: string; truncated: boolean }> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of reply.chunks()) {
    pieces.push(piece)
    size += piece.length
    if (size > LARGEST_REPLY) break
  }
  return {
    body: Buffer.concat(pieces).subarray(0, LARGEST_REPLY).toString('utf8'),
    truncated: size > LARGEST_REPLY,
  }
}

/**
 * Sends a recorded call again with the credential of the caller, through the public entry point of
 * the gateway.
 */
export async function replayCall(
  call: HttpCall,
  entry: CallEntry,
  model: string | undefined,
): Promise<Replayed> {
  if (!canReplay(entry)) {
    throw conflict(
      'This call cannot be sent again: only JSON calls can whose body was recorded whole. Switch ENABLE_REQUEST_LOG_BODIES on and make the call anew.',
      { code: 'not_replayable' },
    )
  }
  // The connection of a device is encrypted with a certificate that the gateway itself does not
  // trust.
  if (isShared(call.request)) {
    throw conflict(
      'Calls are sent again on the address of the gateway itself, not on the one for devices of the network.',
      { code: 'replay_elsewhere' },
    )
  }
  const started = performance.now()
  const target = createOutgoingTarget(originOf(call.request), {
    connectMilliseconds: CONNECT_MILLISECONDS,
  })
  try {
    const reply = await target.open(
      {
        method: 'POST',
        path: entry.path,
        headers: copyHeaders(call.request),
        body: toBody(entry, model),
        firstByteMilliseconds: FIRST_BYTE_MILLISECONDS,
        idleMilliseconds: IDLE_MILLISECONDS,
      },
      call.signal,
    )
    const { body, truncated } = await readReply(reply)
    const milliseconds = Math.round(performance.now() - started)
    return {
      status: reply.status,
      milliseconds,
      content_type: reply.headers['content-type'] ?? '',
      body,
      truncated,
    }
  } finally {
    await target.close()
  }
}

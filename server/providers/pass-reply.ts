import type { ServerResponse } from 'node:http'
import { upstreamFailed, type ServiceError } from '../lib/errors.ts'
import type { OutgoingReply } from '../lib/outgoing.ts'
import { createCallerWriter } from './caller-writer.ts'
import { isSuccess, readFaultBody, requireReadable, type Upstream } from './upstream.ts'
import { hideSecrets, toNetworkFault, toPassedFault } from './upstream-faults.ts'

/** Who gets a reply, and whether failures go on as the other side wrote them instead of in the gateway's form. */
export interface PassTarget {
  readonly response: ServerResponse
  readonly signal: AbortSignal
  readonly keepsErrors?: boolean
  /** Sees the bytes of an answer as they pass. */
  readonly watch?: ((chunk: Buffer) => void) | undefined
}

/** What a browser could take for a page or a program is handed on as plain bytes. */
const SAFE_TYPE = /^(application\/(json|x-ndjson|octet-stream)|text\/(event-stream|plain)|audio\/[\w.+-]+)\s*(;|$)/i
const NEW_LINE = 10

function toHead(reply: OutgoingReply): Record<string, string> {
  const { 'content-type': type, 'content-length': length } = reply.headers
  return {
    'Content-Type': type !== undefined && SAFE_TYPE.test(type) ? type : 'application/octet-stream',
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
    ...(length !== undefined && { 'Content-Length': length }),
  }
}

/** How a stream of a known kind says that it broke off; null when only closing the connection can say it. */
function toEnding(reply: OutgoingReply, fault: ServiceError): string | null {
  const { 'content-type': type = '', 'content-length': length } = reply.headers
  if (length !== undefined) return null
  if (type.startsWith('application/x-ndjson')) return `${JSON.stringify({ error: fault.message })}\n`
  if (!type.startsWith('text/event-stream')) return null
  const error = { message: fault.message, type: 'server_error', code: fault.code }
  return `\ndata: ${JSON.stringify({ error })}\n\ndata: [DONE]\n\n`
}

/** Throws what the other side says when a call failed. */
export async function requireSuccess(reply: OutgoingReply, { faults }: Upstream): Promise<void> {
  const { status, headers } = reply
  if (!isSuccess(reply)) throw toPassedFault({ status, headers, body: (await readFaultBody(reply)).toString('utf8') }, faults)
}

async function failedReply(reply: OutgoingReply, target: PassTarget, { faults }: Upstream): Promise<void> {
  const { status, headers } = reply
  const body = (await readFaultBody(reply)).toString('utf8')
  const isOwnAnswer = target.keepsErrors && status >= 400 && /json/i.test(headers['content-type'] ?? '')
  if (!isOwnAnswer) throw toPassedFault({ status, headers, body }, faults)
  const retry = headers['retry-after']
  const bytes = Buffer.from(hideSecrets(body, faults))
  target.response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
    'Cache-Control': 'no-store',
    ...(retry !== undefined && { 'Retry-After': retry }),
  })
  target.response.end(bytes)
}

/** Hands a reply on byte for byte, no faster than its caller reads. Resolves when it has ended; throws only before its head was written. */
export async function passReply(reply: OutgoingReply, target: PassTarget, upstream: Upstream): Promise<void> {
  if (!isSuccess(reply)) return failedReply(reply, target, upstream)
  if (reply.status === 206) {
    reply.abort()
    throw upstreamFailed(`The connection "${upstream.faults.name}" sent a part of an answer although the whole was asked for.`)
  }
  requireReadable(reply, upstream.faults)
  const { response, signal } = target
  response.writeHead(reply.status, toHead(reply))
  const caller = createCallerWriter(response, reply)
  let last = NEW_LINE
  return new Promise((resolve) => {
    function breakOff(error: unknown): void {
      const ending = signal.aborted ? '' : toEnding(reply, toNetworkFault(error, upstream.faults))
      if (ending === null) response.destroy()
      caller.end(ending === null || ending === '' || last === NEW_LINE ? (ending ?? '') : `\n${ending}`)
      resolve()
    }
    reply.read({
      onData(chunk) {
        if (chunk.length > 0) last = chunk.at(-1)!
        target.watch?.(chunk)
        caller.write(chunk)
        return true
      },
      onEnd() {
        caller.end('')
        resolve()
      },
      onFailure: breakOff,
    })
    // A first piece that is already here takes the head with it.
    if (caller.isEmpty() && !response.writableEnded) response.flushHeaders()
  })
}

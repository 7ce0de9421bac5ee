import type { IncomingMessage, ServerResponse } from 'node:http'
import { isRecord, type Fields } from '../../lib/is-record.ts'
import type { CallWait } from '../../lib/outgoing/call-wait.ts'
import { EngineFault } from './fault.ts'
import type { ModelFile } from './loaded-models.ts'
import { CALL_HEADER, DIGEST_HEADER, FILE_HEADER } from './protocol.ts'

/** A call of the gateway with its complete body. */
export interface EngineCall {
  readonly body: Fields
  readonly model: string
  readonly file: ModelFile
  /** Aborts when the gateway disconnects. */
  readonly signal: AbortSignal
  readonly response: ServerResponse
  /** Tells the gateway why the call waits, if it asked for that. */
  readonly onWait: (wait: CallWait) => void
}

/** Uses events, because an iterator would delay the model by several turns of the event loop. */
function readBytes(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => void parts.push(part))
    request.once('end', () => resolve(Buffer.concat(parts)))
    request.once('error', reject)
  })
}

async function readBody(request: IncomingMessage): Promise<Fields> {
  const bytes = await readBytes(request)
  const body: unknown = bytes.length === 0 ? {} : JSON.parse(bytes.toString('utf8'))
  if (!isRecord(body)) throw new EngineFault(400, 'The body must be a JSON object.')
  return body
}

function headerOf({ headers }: IncomingMessage, name: string): string {
  const value = headers[name]
  return typeof value === 'string' ? decodeURIComponent(value) : ''
}

export async function readCall(
  request: IncomingMessage,
  response: ServerResponse,
  onWait: (call: string, wait: CallWait) => void,
): Promise<EngineCall> {
  const leaving = new AbortController()
  response.on('close', () => {
    if (!response.writableFinished) leaving.abort()
  })
  const body = await readBody(request)
  const model = body['model']
  const id = headerOf(request, CALL_HEADER)
  return {
    body,
    model: typeof model === 'string' ? model : '',
    file: { path: headerOf(request, FILE_HEADER), digest: headerOf(request, DIGEST_HEADER) },
    signal: leaving.signal,
    response,
    onWait: (wait) => {
      if (id !== '') onWait(id, wait)
    },
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body))
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': bytes.length })
  response.end(bytes)
}

/** Sends one line of a streamed answer. */
export function sendLine(response: ServerResponse, line: unknown): void {
  if (!response.headersSent) response.writeHead(200, { 'Content-Type': 'application/x-ndjson' })
  response.write(`${JSON.stringify(line)}\n`)
}

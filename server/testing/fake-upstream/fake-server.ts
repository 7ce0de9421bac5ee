import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Reply, ScriptInput, Step } from './script.ts'

/** A request as received by a fake upstream. */
export interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly text: string
  readonly json: Record<string, unknown> | null
}

/** A scripted upstream on a loopback port. */
export interface FakeUpstream {
  /** The URL a user would enter for a connection. */
  readonly url: string
  readonly port: number
  /** Every request so far, in order. */
  readonly requests: RecordedRequest[]
  /** Number of answers being written. */
  openStreams(): number
  /** Number of answers whose client disconnected before the end. */
  aborts(): number
  /** Number of bytes passed to the network so far; does not grow under back-pressure. */
  bytesWritten(): number
  close(): Promise<void>
}

/** One request being answered by a fake. */
export interface Exchange {
  readonly recorded: RecordedRequest
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

function parseBody(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

export function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

/** Returns the script input, from a request in either format. */
export function toScriptInput(
  body: Record<string, unknown>,
  streamByDefault: boolean,
): ScriptInput {
  return {
    model: typeof body['model'] === 'string' ? body['model'] : '',
    messages: Array.isArray(body['messages']) ? (body['messages'] as ScriptInput['messages']) : [],
    stream: typeof body['stream'] === 'boolean' ? body['stream'] : streamByDefault,
    body,
  }
}

/** Sends a plain response; returns false if the reply is a script of steps. */
export function sendPlain(
  response: ServerResponse,
  answer: Reply,
): answer is Extract<Reply, { status: number }> {
  if ('steps' in answer) return false
  response.writeHead(answer.status, answer.headers)
  response.end(answer.body)
  return true
}

/**
 * Plays steps until they end or the client disconnects. `write` sends one step; resolves with false
 * if the answer was cut off.
 */
export async function playSteps(
  response: ServerResponse,
  steps: readonly Step[],
  write: (step: Step) => string | Buffer | null,
): Promise<boolean> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  for (const step of steps) {
    if (response.destroyed) return false
    if (step.kind === 'wait')
      await sleep(step.milliseconds, null, { signal: gone.signal }).catch(() => null)
    else if (step.kind === 'until') await Promise.race([step.settled, once(gone.signal, 'abort')])
    else if (step.kind === 'stall') await once(gone.signal, 'abort')
    else if (step.kind === 'cut') {
      // Data written before must reach the client first.
      await nextTurn()
      response.socket?.destroySoon()
      return false
    } else {
      const bytes = step.kind === 'raw' ? step.bytes : write(step)
      if (bytes !== null && !response.write(bytes))
        await once(response, 'drain', { signal: gone.signal }).catch(() => null)
    }
  }
  return !response.destroyed
}

async function record(request: IncomingMessage): Promise<RecordedRequest> {
  const parts: Buffer[] = []
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
  const text = Buffer.concat(parts).toString('utf8')
  const json = text === '' ? null : parseBody(text)
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    text,
    json,
  }
}

/**
 * Serves `handle` on a free loopback port and records requests. `basePath` is the path of the URL a
 * user enters.
 */
export async function startFakeServer(
  basePath: string,
  handle: (exchange: Exchange) => unknown,
): Promise<FakeUpstream> {
  const requests: RecordedRequest[] = []
  const open = new Set<ServerResponse>()
  let aborted = 0
  let finishedBytes = 0

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const recorded = await record(request)
    requests.push(recorded)
    open.add(response)
    const socket = response.socket
    const before = socket?.bytesWritten ?? 0
    response.once('close', () => {
      open.delete(response)
      finishedBytes += (socket?.bytesWritten ?? 0) - before
      if (!response.writableFinished) aborted += 1
    })
    await handle({ recorded, request, response })
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${basePath}`,
    port,
    requests,
    openStreams: () => open.size,
    aborts: () => aborted,
    bytesWritten: () =>
      finishedBytes +
      [...open].reduce((sum, response) => sum + (response.socket?.bytesWritten ?? 0), 0),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

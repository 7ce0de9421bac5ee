import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CompletionFrame, FrameSink, FrameStream } from '../../providers/index.ts'
import { sendDialectStream } from './dialect-stream.ts'
import { ResponsesStream } from './responses/stream-events.ts'

const LENGTH = 2 * 1024 * 1024
/** Number of bytes allowed around a text in an event, and for short events written with it. */
const AROUND = 128 * 1024

interface Event {
  readonly type: string
  readonly sequence_number: number
  readonly text?: string
  readonly arguments?: string
  readonly part?: { readonly text: string }
  readonly item?: { readonly content?: { readonly text: string }[]; readonly arguments?: string }
  readonly response?: { readonly status: string; readonly output: NonNullable<Event['item']>[] }
}

const chunk = (delta: Record<string, unknown>, finish: string | null = null): CompletionFrame => ({
  id: 'x',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
})

/**
 * Returns the frames of a complete answer all at once, as if they had arrived while the reader
 * lagged behind.
 */
const allAtOnce = (frames: readonly CompletionFrame[]): FrameStream => ({
  read(sink: FrameSink) {
    for (const frame of frames) sink.onFrames([frame])
    sink.onEnd(null)
  },
  pause: () => undefined,
  resume: () => undefined,
  abort: () => undefined,
})

let frames: readonly CompletionFrame[]
let server: Server
let response: ServerResponse | null
let sent: Promise<void> | null

beforeEach(async () => {
  response = null
  sent = null
  server = createServer((_, given) => {
    response = given
    sent = sendDialectStream(
      given,
      Promise.resolve(allAtOnce(frames)),
      new ResponsesStream({ model: 'm', input: 'x' }),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/** A client that has sent its request and is not reading yet. */
async function ask(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  await expect.poll(() => response?.writableLength ?? 0, { timeout: 5000 }).toBeGreaterThan(0)
  return socket
}

/**
 * Reads everything; returns the events and the largest number of bytes held for the reader
 * meanwhile.
 */
async function readOn(socket: Socket): Promise<{ events: Event[]; most: number }> {
  const pieces: Buffer[] = []
  let most = response!.writableLength
  socket.on('data', (piece: Buffer) => {
    pieces.push(piece)
    most = Math.max(most, response!.writableLength)
  })
  socket.resume()
  await once(socket, 'close')
  const body = unchunk(Buffer.concat(pieces))
  const events = [...body.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!) as Event)
  return { events, most }
}

function unchunk(reply: Buffer): string {
  const parts: Buffer[] = []
  let at = reply.indexOf('\r\n\r\n') + 4
  if (!/transfer-encoding: chunked/i.test(reply.toString('latin1', 0, at)))
    return reply.toString('utf8', at)
  for (;;) {
    const lineEnd = reply.indexOf('\r\n', at)
    const size = Number.parseInt(reply.toString('latin1', at, lineEnd), 16)
    if (size === 0) return Buffer.concat(parts).toString()
    parts.push(reply.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
}

const TEXT = 'word "å" '.repeat(LENGTH / 10)
const PIECES = TEXT.match(/.{1,1000}/gs)!
const ARGUMENTS = JSON.stringify({ text: TEXT })

describe('The last events of a long answer, each of which repeats it', () => {
  it.each([
    ['text', [...PIECES.map((content) => chunk({ content })), chunk({}, 'stop')], TEXT],
    [
      'reasoning and a word',
      [chunk({ reasoning_content: TEXT }), chunk({ content: 'word' }), chunk({}, 'stop')],
      TEXT,
    ],
    [
      'a call',
      [
        chunk({
          tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: ARGUMENTS } }],
        }),
        chunk({}, 'tool_calls'),
      ],
      ARGUMENTS,
    ],
  ])(
    'are held a slice at a time for a reader who lags behind, after %s',
    async (_, given, text) => {
      frames = given
      const { events, most } = await readOn(await ask())
      const longest = Math.max(...events.map((event) => Buffer.byteLength(JSON.stringify(event))))
      const whole = events.reduce((sum, event) => sum + Buffer.byteLength(JSON.stringify(event)), 0)
      expect(whole).toBeGreaterThan(longest * 3)
      // Events that repeat the text are written in slices; a delta is sent at the length in which
      // it arrived.
      const pieces = events.filter(({ type }) => type.endsWith('.delta'))
      const longestPiece = Math.max(
        ...pieces.map((event) => Buffer.byteLength(JSON.stringify(event))),
      )
      expect(most).toBeLessThan(longestPiece + AROUND * 3)
      expect(events.map(({ sequence_number: number }) => number)).toEqual(
        events.map((__, index) => index),
      )
      const last = events.at(-1)!
      expect(last.type).toBe('response.completed')
      const repeated = events
        .flatMap((event) => [event.text, event.arguments, event.part?.text, ...textsOf(event.item)])
        .filter(Boolean)
      expect(repeated.filter((each) => each === text).length).toBeGreaterThanOrEqual(2)
      expect(last.response!.output.flatMap(textsOf).some((each) => each === text)).toBe(true)
      await sent
    },
  )

  it('are not made any more for a reader who leaves', async () => {
    frames = PIECES.map((content) => chunk({ content }))
    const socket = await ask()
    socket.destroy()
    await sent
    expect(response!.destroyed).toBe(true)
    expect(response!.writableEnded).toBe(false)
  })

  it('come in one piece with a length when they are short', async () => {
    frames = [chunk({ content: 'short' }), chunk({}, 'stop')]
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(String((await once(socket, 'data'))[0])).toMatch(
      /Content-Length: \d+\r\n[\s\S]*response\.completed/,
    )
    socket.destroy()
  })
})

const textsOf = (item: Event['item']): (string | undefined)[] =>
  item ? [item.arguments, ...(item.content ?? []).map(({ text }) => text)] : []

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cutBytes, decodePieces } from '../testing/play-bytes.ts'
import { createTestUpstream } from '../testing/create-test-upstream.ts'
import { StreamDecoder } from './compatible/decode-stream.ts'
import { createFrameGuard } from './compatible/guard-frames.ts'
import { relay } from './compatible/relay.ts'
import { createPassedGuard } from './upstream/guard-passed.ts'
import { MessagesDecoder } from './messages/decode-stream.ts'
import { relayMessages } from './messages/relay-messages.ts'
import { isErrorFrame } from './upstream/read-frames.ts'
import { RuntimeDecoder } from './runtime/decode-stream.ts'
import type { Upstream } from './upstream/upstream.ts'

const context = { name: 'Test', secrets: [] }

/**
 * A stream, with the offset at which the first event that completes its answer ends; null if none
 * does.
 */
interface Recorded {
  readonly bytes: Buffer
  readonly completeAt: number | null
}

interface Part {
  readonly text: string
  readonly completes?: boolean
}

function join(parts: readonly Part[]): Recorded {
  let completeAt: number | null = null
  let size = 0
  for (const { text, completes } of parts) {
    // The line ends of an event may be missing, its JSON may not.
    if (completes) completeAt ??= size + Buffer.byteLength(text.trimEnd())
    size += Buffer.byteLength(text)
  }
  return { bytes: Buffer.from(parts.map(({ text }) => text).join('')), completeAt }
}

const lineEnd = fc.constantFrom('\n', '\r\n', '\r')
const words = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), {
  maxLength: 6,
})

const toChunk = (content: string, finish: string | null) =>
  JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] })

/** Chat completions as providers write them: with or without a finish reason and an end mark. */
const completions = fc
  .record({
    words,
    end: lineEnd,
    space: fc.constantFrom('', ' ', '   '),
    comment: fc.boolean(),
    finish: fc.boolean(),
    mark: fc.boolean(),
    bom: fc.boolean(),
  })
  .map(({ words: said, end, space, comment, finish, mark, bom }) => {
    const event = (data: string): string => `data:${space}${data}${space}${end}${end}`
    return join([
      { text: bom ? '\uFEFF' : '' },
      ...said.map((word) => ({
        text: (comment ? `: ping${end}${end}` : '') + event(toChunk(word, null)),
      })),
      ...(finish ? [{ text: event(toChunk('', 'stop')), completes: true }] : []),
      ...(mark ? [{ text: event('[DONE]'), completes: true }] : []),
    ])
  })

const messages = fc
  .record({ words, end: lineEnd, finish: fc.boolean(), mark: fc.boolean() })
  .map(({ words: said, end, finish, mark }) => {
    const event = (value: { type: string } & Record<string, unknown>): string =>
      `event: ${value.type}${end}data: ${JSON.stringify(value)}${end}${end}`
    return join([
      { text: event({ type: 'message_start', message: {} }) },
      ...said.map((text) => ({
        text: event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
      })),
      ...(finish
        ? [
            {
              text: event({ type: 'message_delta', delta: { stop_reason: 'end_turn' } }),
              completes: true,
            },
          ]
        : []),
      ...(mark ? [{ text: event({ type: 'message_stop' }), completes: true }] : []),
    ])
  })

const nativeWith = (ends: typeof lineEnd) =>
  fc.record({ words, end: ends, mark: fc.boolean() }).map(({ words: said, end, mark }) =>
    join([
      ...said.map((content) => ({
        text: JSON.stringify({ message: { content }, done: false }) + end,
      })),
      ...(mark ? [{ text: JSON.stringify({ done: true }) + end, completes: true }] : []),
    ]),
  )

const FORMATS = [
  ['chat completions', completions, () => new StreamDecoder({ faults: context })],
  [
    'chat completions with joined texts',
    completions,
    () => new StreamDecoder({ faults: context, joinsText: true }),
  ],
  ['messages', messages, () => new MessagesDecoder({ model: 'm', faults: context })],
  [
    'the native dialect',
    nativeWith(lineEnd),
    () => new RuntimeDecoder({ model: 'm', faults: context }),
  ],
] as const

/**
 * Reports whether the answer is complete in the first `cut` bytes. An event with CR line ends only
 * may need one more byte.
 */
const isCompleteAt = ({ completeAt }: Recorded, cut: number): boolean =>
  completeAt !== null && cut >= completeAt

describe('A stream cut at any byte and split in any way', () => {
  it.each(FORMATS)(
    'of %s ends clean only when it told why or sent its end mark',
    (_, streams, createDecoder) => {
      const run = fc.property(
        streams,
        fc.nat(),
        fc.array(fc.nat(1500), { maxLength: 8 }),
        (recorded, place, cuts) => {
          const cut = place % (recorded.bytes.length + 1)
          const frames = decodePieces(
            createDecoder(),
            cutBytes(recorded.bytes.subarray(0, cut), cuts),
          )
          expect(frames.some(isErrorFrame)).toBe(!isCompleteAt(recorded, cut))
          expect(
            frames.filter(isErrorFrame).every(({ error }) => error.code === 'upstream_incomplete'),
          ).toBe(true)
        },
      )
      fc.assert(run, { numRuns: 500 })
    },
  )

  it('passes the relay as whole events alone, each readable by itself, and is complete under the same conditions', () => {
    const run = fc.property(
      completions,
      fc.nat(),
      fc.array(fc.nat(1500), { maxLength: 8 }),
      (recorded, place, cuts) => {
        const cut = place % (recorded.bytes.length + 1)
        const guard = createFrameGuard()
        const passed = [
          ...cutBytes(recorded.bytes.subarray(0, cut), cuts).map((piece) => guard.push(piece)),
          guard.end(),
        ]
        const text = Buffer.concat(passed).toString('utf8')
        expect(text === '' || /\n\n$|\r\n\r\n$/.test(text)).toBe(true)
        for (const line of text.split('\n'))
          if (line.startsWith('data: {')) JSON.parse(line.slice('data: '.length))
        expect(guard.isComplete()).toBe(isCompleteAt(recorded, cut))
      },
    )
    fc.assert(run, { numRuns: 500 })
  })

  it('passes the proxy of the native dialect as whole lines alone, and is whole under the same conditions', () => {
    const streams = nativeWith(fc.constantFrom('\n', '\r\n'))
    const run = fc.property(
      streams,
      fc.nat(),
      fc.array(fc.nat(1500), { maxLength: 8 }),
      (recorded, place, cuts) => {
        const cut = place % (recorded.bytes.length + 1)
        const guard = createPassedGuard('application/x-ndjson')!
        const passed = [
          ...cutBytes(recorded.bytes.subarray(0, cut), cuts).map((piece) => guard.push(piece)),
          guard.end(),
        ]
        const text = Buffer.concat(passed).toString('utf8')
        expect(text === '' || text.endsWith('\n')).toBe(true)
        for (const line of text.trimEnd().split('\n')) if (line !== '') JSON.parse(line)
        expect(guard.isWhole()).toBe(isCompleteAt(recorded, cut))
      },
    )
    fc.assert(run, { numRuns: 500 })
  })
})

/** The five ways in which a reply ends. */
const ENDINGS = [
  'close',
  'reset',
  'reset without chunks',
  'last chunk',
  'end of the connection',
] as const
type Ending = (typeof ENDINGS)[number]

describe('A stream that ends over HTTP', () => {
  let provider: Server
  let gateway: Server
  let upstream: Upstream
  let sending: { bytes: Buffer; ending: Ending; isMessages: boolean }

  beforeAll(async () => {
    provider = createServer((request, response) => {
      const { bytes, ending } = sending
      const socket = response.socket!.on('error', () => undefined)
      const hasChunks = ending !== 'reset without chunks' && ending !== 'end of the connection'
      request.resume().once('end', () => {
        socket.write(
          `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n${hasChunks ? 'Transfer-Encoding: chunked' : 'Connection: close'}\r\n\r\n`,
        )
        if (bytes.length > 0)
          socket.write(
            hasChunks
              ? Buffer.concat([
                  Buffer.from(`${bytes.length.toString(16)}\r\n`),
                  bytes,
                  Buffer.from('\r\n'),
                ])
              : bytes,
          )
        if (ending === 'last chunk') socket.end('0\r\n\r\n')
        else if (ending.startsWith('reset')) setTimeout(() => socket.resetAndDestroy(), 15)
        else socket.end()
      })
    })
    gateway = createServer((request, response) => {
      const call = {
        body: Buffer.from('{}'),
        stream: true,
        response,
        signal: new AbortController().signal,
        headers: {},
      }
      request
        .resume()
        .once(
          'end',
          () => void (sending.isMessages ? relayMessages(upstream, call) : relay(upstream, call)),
        )
    })
    for (const server of [provider, gateway]) {
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
    }
    upstream = createTestUpstream(`http://127.0.0.1:${(provider.address() as AddressInfo).port}`)
  })
  afterAll(async () => {
    await upstream.close()
    for (const server of [provider, gateway]) {
      server.closeAllConnections()
      server.close()
    }
  })

  it.each([
    ['chat completions', completions, false],
    ['messages', messages, true],
  ] as const)(
    'is clean in %s under the same conditions, in whichever of the five ways it ends',
    async (_, streams, isMessages) => {
      const run = fc.asyncProperty(
        streams,
        fc.nat(),
        fc.constantFrom(...ENDINGS),
        async (recorded, place, ending) => {
          const cut = place % (recorded.bytes.length + 1)
          sending = { bytes: recorded.bytes.subarray(0, cut), ending, isMessages }
          const text = await (
            await fetch(`http://127.0.0.1:${(gateway.address() as AddressInfo).port}`, {
              method: 'POST',
            })
          ).text()
          expect(/^data: .*"error"/m.test(text)).toBe(!isCompleteAt(recorded, cut))
          expect(text.endsWith(isMessages ? '}\n\n' : 'data: [DONE]\n\n')).toBe(true)
        },
      )
      await fc.assert(run, { numRuns: 60 })
    },
  )
})

import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cutBytes } from '../../testing/play-bytes.ts'
import {
  startExtendedConversation,
  type ExtendedConversation,
} from '../../testing/start-extended-conversation.ts'
import type { RequestFilters } from '../../extensions/filters.ts'

const ENDINGS = [
  'last chunk',
  'close',
  'reset',
  'close without chunks',
  'reset without chunks',
] as const
type Ending = (typeof ENDINGS)[number]

/** A stream: its pieces, how much of it is sent, and how it ends. */
interface Sending {
  readonly pieces: readonly Buffer[]
  readonly ending: Ending
}

/** Expected result for an answer of which only the first bytes arrived. */
interface Expected {
  readonly isComplete: boolean
  readonly text: string
}

const events = fc.record({
  words: fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), { maxLength: 6 }),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  space: fc.constantFrom('', ' ', '   '),
  comment: fc.boolean(),
  finish: fc.boolean(),
  usage: fc.boolean(),
  mark: fc.boolean(),
  bom: fc.boolean(),
})

/** Returns a chunk that both kinds of completions can parse. */
const toChunk = (text: string, finish: string | null): string =>
  JSON.stringify({ choices: [{ index: 0, delta: { content: text }, text, finish_reason: finish }] })
const USAGE = JSON.stringify({
  choices: [],
  usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
})

interface Part {
  readonly text: string
  readonly word?: string
  readonly completes?: boolean
}

type Shape = typeof events extends fc.Arbitrary<infer Value> ? Value : never

function toParts({ words, lineEnd, space, comment, finish, usage, mark, bom }: Shape): Part[] {
  const event = (data: string): string => `data:${space}${data}${space}${lineEnd}${lineEnd}`
  return [
    { text: bom ? '\uFEFF' : '' },
    ...words.map((word) => ({
      text: (comment ? `: ping${lineEnd}${lineEnd}` : '') + event(toChunk(word, null)),
      word,
    })),
    ...(finish ? [{ text: event(toChunk('', 'stop')), completes: true }] : []),
    ...(usage ? [{ text: event(USAGE) }] : []),
    ...(mark ? [{ text: event('[DONE]'), completes: true }] : []),
  ]
}

/** The line ends of an event may be missing, its JSON may not. */
function expectOf(parts: readonly Part[], cut: number): Expected {
  let [size, isComplete, text] = [0, false, '']
  for (const part of parts) {
    if (size + Buffer.byteLength(part.text.trimEnd()) > cut) break
    size += Buffer.byteLength(part.text)
    isComplete ||= part.completes === true
    text += part.word ?? ''
  }
  return { isComplete, text }
}

async function play(response: ServerResponse, { pieces, ending }: Sending): Promise<void> {
  // A call that hits a connection closed by the previous call is retried on another one.
  const socket = response.socket?.on('error', () => undefined)
  if (!socket) return
  const hasChunks = !ending.endsWith('without chunks')
  const how = hasChunks ? 'Transfer-Encoding: chunked' : 'Connection: close'
  socket.write(`HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n${how}\r\n\r\n`)
  for (const piece of pieces) {
    socket.write(
      hasChunks
        ? Buffer.concat([
            Buffer.from(`${piece.length.toString(16)}\r\n`),
            piece,
            Buffer.from('\r\n'),
          ])
        : piece,
    )
    await sleep(1)
  }
  if (ending === 'last chunk') socket.end('0\r\n\r\n')
  else if (ending.startsWith('close')) socket.end()
  else {
    // Data still in flight is lost with the reset.
    await sleep(30)
    socket.resetAndDestroy()
  }
}

let sending: Sending
let filters: RequestFilters | null
let provider: Server
let conversation: ExtendedConversation

beforeAll(async () => {
  provider = createServer((request, response) => {
    if (request.method === 'GET')
      return void response.end(
        JSON.stringify({ object: 'list', data: [{ id: 'text', object: 'model' }] }),
      )
    if (request.url === '/v1/responses')
      return void request.resume().once('end', () => response.writeHead(404).end())
    request.resume().once('end', () => void play(response, sending))
  }).listen(0, '127.0.0.1')
  await once(provider, 'listening')
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`
  conversation = await startExtendedConversation(() => ({ filters: () => filters }), {
    environment: { OPENAI_API_BASE_URLS: url },
  })
})
afterAll(async () => {
  provider.closeAllConnections()
  provider.close()
  await conversation.close()
})

const messages = [{ role: 'user', content: 'Hello' }]
const ROUTES = {
  completions: ['/api/chat/completions', { messages }],
  messages: ['/api/v1/messages', { messages, max_tokens: 9 }],
  responses: ['/openai/responses', { input: 'Hello' }],
  text: ['/api/completions', { prompt: 'Hello' }],
} as const
type Dialect = keyof typeof ROUTES

interface Fields {
  readonly type?: string
  readonly error?: { readonly message?: string }
  readonly delta?: string | { readonly text?: string }
  readonly choices?: readonly {
    readonly text?: string
    readonly delta?: { readonly content?: string }
  }[]
}

/**
 * Parses a stream as a reader does: its text, and whether it was marked complete or broken, exactly
 * once and at the end.
 */
function read(dialect: Dialect, reply: string): Expected & { readonly ends: string } {
  const data = reply
    .split('\n')
    .flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length).trim()] : []))
  const values = data.flatMap((each) => (each === '[DONE]' ? [] : [JSON.parse(each) as Fields]))
  const isFailure = ({ type, error }: Fields) =>
    error !== undefined || type === 'error' || type === 'response.failed'
  const isEnd = ({ type }: Fields) => type === 'message_stop' || type === 'response.completed'
  const text = values.map(({ type, delta, choices }) => {
    if (dialect === 'completions') return choices?.[0]?.delta?.content ?? ''
    if (dialect === 'text') return choices?.[0]?.text ?? ''
    if (dialect === 'messages') return typeof delta === 'object' ? (delta.text ?? '') : ''
    return type === 'response.output_text.delta' ? (delta as string) : ''
  })
  // Finds which events end the stream, and counts them.
  const marks = data.map((each) => each === '[DONE]')
  const told = values.map((value) => isFailure(value) || isEnd(value))
  const [endings, last] =
    dialect === 'completions' || dialect === 'text' ? [marks, marks.at(-1)] : [told, told.at(-1)]
  const ends = `${endings.filter(Boolean).length} ${last ? 'last' : 'lost'} ${reply.endsWith('\n\n') ? 'whole' : 'half'}`
  return { isComplete: !values.some(isFailure), text: text.join(''), ends }
}

/** An answer of which nothing arrived is refused with a status. */
function readRefused(status: number, reply: string): Expected & { readonly ends: string } {
  const { error } = JSON.parse(reply) as Fields
  return {
    isComplete: status !== 502 || typeof error?.message !== 'string',
    text: '',
    ends: '1 last whole',
  }
}

/** Streams that break right after the object of their second event, before its line ends. */
const withoutLineEnds = (['\n', '\r\n', '\r'] as const).flatMap((lineEnd) => {
  const shape: Shape = {
    words: ['One', 'Two'],
    lineEnd,
    space: ' ',
    comment: false,
    finish: false,
    usage: true,
    mark: false,
    bom: false,
  }
  const cut =
    toParts(shape).reduce(
      (sum, { text, word }) => (word ? sum + Buffer.byteLength(text) : sum),
      0,
    ) - `${lineEnd}${lineEnd}`.length
  return [true, false].map((isFiltered) => ({
    shape,
    cut,
    cuts: [],
    ending: 'close' as const,
    isFiltered,
  }))
})

const passing: RequestFilters = { inlets: [], stream: [(chunk) => chunk] }

test.each([...Object.keys(ROUTES), 'a chat'] as const)(
  'A stream cut at any byte, split in any way and ended in any way is whole in %s only when it told so, with all that came',
  async (target) => {
    const ways = fc.record({
      shape: events,
      // Half of all streams arrive complete.
      cut: fc.option(fc.nat(), { freq: 1, nil: null }),
      cuts: fc.array(fc.nat(1500), { maxLength: 5 }),
      ending: fc.constantFrom(...ENDINGS),
      isFiltered: fc.boolean(),
    })
    const run = fc.asyncProperty(ways, async ({ shape, cut: place, cuts, ending, isFiltered }) => {
      const parts = toParts(shape)
      const bytes = Buffer.from(parts.map(({ text }) => text).join(''))
      const cut = place === null ? bytes.length : place % (bytes.length + 1)
      const sent = expectOf(parts, cut)
      sending = { pieces: cut === 0 ? [] : cutBytes(bytes.subarray(0, cut), cuts), ending }
      filters = isFiltered ? passing : null
      const isStored = target === 'a chat'
      const dialect = isStored ? 'completions' : (target as Dialect)
      const [path, question] = ROUTES[dialect]
      const chat = isStored ? await conversation.createChat('Hello') : null
      const reply = await conversation.call(path, {
        model: 'text',
        stream: true,
        ...question,
        ...(chat && { chat_id: chat.chat_id, id: chat.id }),
      })
      const body = await reply.text()
      const found = reply.status === 200 ? read(dialect, body) : readRefused(reply.status, body)
      // A reset discards data in flight, and an answer of which nothing was relayed yet is refused
      // with a status.
      const mayLose = ending.startsWith('reset') || reply.status === 502
      const isLost = mayLose && !found.isComplete && sent.text.startsWith(found.text)
      const expected = isLost ? { isComplete: false, text: found.text } : sent
      expect(found).toEqual({ ...expected, ends: '1 last whole' })
      const message = chat ? await conversation.finished(chat) : null
      const stored = message && { text: message.content, isComplete: !('error' in message) }
      expect(stored).toEqual(chat && expected)
    })
    await fc.assert(run, { numRuns: 30, examples: withoutLineEnds.map((way) => [way]) })
  },
  120_000,
)

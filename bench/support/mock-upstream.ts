// A model server with almost no cost: answers are prebuilt bytes. The model id selects the answer:
// `bench-text`, `bench-burst-64` (64 tokens at once), `bench-pace-20-60` (20 tokens a second, 60 of
// them) or `bench-long-10` (10 MB of text, as quickly as it is read).
import { createServer, type Socket } from 'node:net'
import { microseconds } from './clock.ts'

const HEAD_JSON = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'
const HEAD_STREAM =
  'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n'
const CHUNKED_END = '0\r\n\r\n'

const MODELS = [
  'bench-text',
  'bench-burst-64',
  'bench-pace-20-60',
  'bench-pace-200-2000',
  'bench-pace-200-4000',
  'bench-long-10',
]
const NATIVE_MODEL = 'bench-native-64'
const NATIVE_LONG_MODEL = 'bench-native-long-10'
const completion = {
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'bench-text',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'A short answer of a few words.' },
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 10, completion_tokens: 8, total_tokens: 18 },
}
const jsonReply = (value: unknown): string => {
  const body = JSON.stringify(value)
  return `${HEAD_JSON}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}
const toChunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const toFrame = (content: string): string =>
  `data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1700000000,"model":"bench","choices":[{"index":0,"delta":{"content":${JSON.stringify(content)}},"finish_reason":null}]}\n\n`
const LAST = `data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1700000000,"model":"bench","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`

const TEXT_REPLY = Buffer.from(jsonReply(completion))
const MODELS_REPLY = Buffer.from(
  jsonReply({
    object: 'list',
    // Fields that a local runtime uses for the same list.
    models: [NATIVE_MODEL, NATIVE_LONG_MODEL].map((name) => ({ name, model: name })),
    data: MODELS.map((id) => ({ id, object: 'model', created: 1, owned_by: 'bench' })),
  }),
)
const BURST = Array.from({ length: 64 }, (_, index) => toChunk(toFrame(` word${index}`))).join('')
const BURST_REPLY = Buffer.from(HEAD_STREAM + BURST + toChunk(LAST) + CHUNKED_END)

const NATIVE_HEAD = HEAD_STREAM.replace('text/event-stream; charset=utf-8', 'application/x-ndjson')
const toLine = (text: string, done: boolean): string =>
  `${JSON.stringify({ model: NATIVE_MODEL, created_at: '2024-05-01T12:00:00.123456789Z', response: text, done })}\n`
const NATIVE_LINES = Array.from({ length: 64 }, (_, index) =>
  toChunk(toLine(` word${index}`, false)),
).join('')
const NATIVE_REPLY = Buffer.from(
  NATIVE_HEAD + NATIVE_LINES + toChunk(toLine('', true)) + CHUNKED_END,
)

const LONG_TEXT = 'x'.repeat(1000)
const LONG_FRAMES = 64
const toLongLine = (text: string, done: boolean): string =>
  `${JSON.stringify({ model: NATIVE_LONG_MODEL, created_at: '2024-05-01T12:00:00.123456789Z', response: text, message: { role: 'assistant', content: text }, done })}\n`

const toTextFrame = (text: string, finish: string | null): string =>
  `data: ${JSON.stringify({ id: 'cmpl-bench', object: 'text_completion', created: 1_700_000_000, model: 'bench', choices: [{ index: 0, text, finish_reason: finish, logprobs: null }] })}\n\n`

const LONG = {
  texts: {
    head: HEAD_STREAM,
    text: Buffer.from(toChunk(toTextFrame(LONG_TEXT, null)).repeat(LONG_FRAMES)),
    last: toChunk(`${toTextFrame('', 'stop')}data: [DONE]\n\n`) + CHUNKED_END,
  },
  frames: {
    head: HEAD_STREAM,
    text: Buffer.from(toChunk(toFrame(LONG_TEXT)).repeat(LONG_FRAMES)),
    last: toChunk(LAST) + CHUNKED_END,
  },
  lines: {
    head: NATIVE_HEAD,
    text: Buffer.from(toChunk(toLongLine(LONG_TEXT, false)).repeat(LONG_FRAMES)),
    last: toChunk(toLongLine('', true)) + CHUNKED_END,
  },
}

/**
 * Every answer writes the same bytes, and only as many as are read, so that many answers at once
 * need no memory here.
 */
function playLong(
  socket: Socket,
  megabytes: number,
  { head, text, last }: (typeof LONG)['frames'],
): void {
  let left = Math.ceil((megabytes * 1e6) / (LONG_TEXT.length * LONG_FRAMES))
  const goOn = () => {
    while (left > 0) {
      left -= 1
      if (!socket.write(text)) return
    }
    socket.off('drain', goOn).write(last)
  }
  socket.on('drain', goOn).write(head)
  goOn()
}

function playPaced(socket: Socket, perSecond: number, count: number): void {
  let sent = 0
  socket.write(HEAD_STREAM)
  const timer = setInterval(() => {
    // The content is the send time, so that the reader can compute how long the frame took.
    if (sent < count)
      socket.write(toChunk(toFrame(perSecond >= 200 ? ' wor' : `@${microseconds()}@`)))
    else {
      clearInterval(timer)
      socket.write(toChunk(LAST) + CHUNKED_END)
    }
    sent += 1
  }, 1000 / perSecond)
  socket.once('close', () => clearInterval(timer))
}

function answer(socket: Socket, request: Buffer): void {
  if (request[0] === 0x47) return void socket.write(MODELS_REPLY)
  const model = /"model":\s*"([^"]+)"/.exec(request.toString('latin1'))?.[1] ?? ''
  const pace = /^bench-pace-(\d+)-(\d+)$/.exec(model)
  if (pace) return playPaced(socket, Number(pace[1]), Number(pace[2]))
  const long = /^bench-(native-)?long-(\d+)$/.exec(model)
  if (long) {
    const isText = request.includes('/v1/completions ')
    return playLong(
      socket,
      Number(long[2]),
      long[1] ? LONG.lines : isText ? LONG.texts : LONG.frames,
    )
  }
  if (model === NATIVE_MODEL && request.includes('/generate'))
    return void socket.write(NATIVE_REPLY)
  socket.write(model === 'bench-burst-64' ? BURST_REPLY : TEXT_REPLY)
}

const server = createServer({ noDelay: true }, (socket) => {
  let pending: Buffer[] = []
  let size = 0
  let needed = -1
  socket.on('error', () => socket.destroy())
  socket.on('data', (bytes) => {
    pending.push(bytes)
    size += bytes.length
    if (needed < 0) {
      const text = Buffer.concat(pending)
      const end = text.indexOf('\r\n\r\n')
      if (end < 0) return
      needed =
        end + 4 + Number(/content-length: *(\d+)/i.exec(text.toString('latin1', 0, end))?.[1] ?? 0)
    }
    if (size < needed) return
    const request = pending.length === 1 ? pending[0]! : Buffer.concat(pending)
    pending = []
    size = 0
    needed = -1
    answer(socket, request)
  })
})
server.listen(0, '127.0.0.1', () =>
  process.send!({ port: (server.address() as { port: number }).port }),
)
process.on('disconnect', () => process.exit(0))

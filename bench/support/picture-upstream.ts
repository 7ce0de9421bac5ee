// A provider whose answers contain one picture: as `/images/generations` and within chats, whole
// and streamed. The bytes are prebuilt.
import { createServer, type ServerResponse } from 'node:http'
import { drawNoisyPng } from '../../server/testing/draw-png.ts'

const [megabytes = 5] = process.argv.slice(2).map(Number)
const base64 = drawNoisyPng(megabytes * 1e6).toString('base64')
const images = [{ type: 'image_url', image_url: { url: `data:image/png;base64,${base64}` } }]
const head = { id: 'chatcmpl-bench', created: 1_700_000_000, model: 'bench-picture' }

const toFrame = (delta: object, reason: string | null): string =>
  `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`
const message = { role: 'assistant', content: 'Here.', images }

const MADE = Buffer.from(JSON.stringify({ created: 1, data: [{ b64_json: base64 }] }))
const WHOLE = Buffer.from(
  JSON.stringify({
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
  }),
)
const FRAMES = Buffer.from(
  `${toFrame({ role: 'assistant', content: 'Here.' }, null)}${toFrame({ images }, null)}${toFrame({}, 'stop')}data: [DONE]\n\n`,
)
const MODELS = Buffer.from(
  JSON.stringify({ object: 'list', data: [{ id: 'bench-picture', object: 'model' }] }),
)

function send(response: ServerResponse, body: Buffer, type = 'application/json'): void {
  response
    .writeHead(200, {
      'Content-Type': type,
      ...(type === 'application/json' && { 'Content-Length': String(body.length) }),
    })
    .end(body)
}

const server = createServer({ noDelay: true, keepAliveTimeout: 60_000 }, (request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => void parts.push(part))
  request.on('end', () => {
    if (request.url?.endsWith('/models')) return send(response, MODELS)
    if (request.url?.endsWith('/images/generations')) return send(response, MADE)
    const isStream = Buffer.concat(parts).includes('"stream":true')
    send(response, isStream ? FRAMES : WHOLE, isStream ? 'text/event-stream' : undefined)
  })
})
server.listen(0, '127.0.0.1', () =>
  process.send!({ port: (server.address() as { port: number }).port }),
)
process.on('disconnect', () => process.exit(0))

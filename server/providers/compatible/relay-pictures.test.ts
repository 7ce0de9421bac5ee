import { once } from 'node:events'
import { request as openRequest, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { lastUserText, type Script } from '../../testing/fake-upstream/script.ts'
import { startRelay, toRelayedBody, type Relay } from '../../testing/start-relay.ts'

const PICTURE_CHARACTERS = 3_000_000
const ROUNDS = 4

let gateway: Relay
afterEach(() => gateway.close())

/** Each answer holds a different picture, so that mixed-up bytes are detected. */
function toMessage(name: string) {
  const url = `data:image/png;base64,${`${name}/`.repeat(PICTURE_CHARACTERS / (name.length + 1))}`
  return { role: 'assistant', content: name, images: [{ image_url: { url } }] }
}

const toDocument = (name: string): string =>
  JSON.stringify({ choices: [{ index: 0, message: toMessage(name), finish_reason: 'stop' }] })

const toFrame = (delta: object, reason: string | null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`
const toStream = (name: string): string =>
  `${toFrame({ content: 'Here.' }, null)}${toFrame(toMessage(name), null)}${toFrame({}, 'stop')}data: [DONE]\n\n`

const drawing: Script = (input) => ({
  status: 200,
  headers: { 'content-type': input.stream ? 'text/event-stream' : 'application/json' },
  body: (input.stream ? toStream : toDocument)(lastUserText(input)),
})

async function open(name: string, stream: boolean): Promise<IncomingMessage> {
  const request = openRequest({ host: '127.0.0.1', port: gateway.port, method: 'POST' })
  request.on('error', () => null)
  request.end(toRelayedBody(name, stream))
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return response
}

async function read(response: IncomingMessage, milliseconds: number): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of response) {
    pieces.push(piece as Buffer)
    if (pieces.length % 8 === 0) await pause(milliseconds)
  }
  return Buffer.concat(pieces).toString()
}

async function leave(response: IncomingMessage): Promise<void> {
  await once(response, 'data')
  response.destroy()
}

it.each([
  ['a whole answer', false, toDocument],
  ['a stream', true, toStream],
])(
  'pictures in %s reach each caller as they are, beside callers who read slowly and who leave',
  async (_, stream, toBody) => {
    gateway = await startRelay(drawing)
    for (let round = 0; round < ROUNDS; round += 1) {
      const names = ['quick', 'slow', 'gone', 'next'].map((word) => `${word}${round}`)
      const [quick, slow, gone, next] = names as [string, string, string, string]
      const left = open(gone, stream).then(leave)
      const late = open(slow, stream).then((response) => read(response, 10))
      expect((await read(await open(quick, stream), 0)) === toBody(quick)).toBe(true)
      await left
      expect((await read(await open(next, stream), 0)) === toBody(next)).toBe(true)
      expect((await late) === toBody(slow)).toBe(true)
    }
  },
  60_000,
)

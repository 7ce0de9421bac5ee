import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startGatewayProcess, type GatewayProcess } from '../../testing/start-process.ts'

/**
 * A connection to a client that does not read holds about 4.2 MB. Answers end within the chunk that
 * follows.
 */
const SHORTEST_BYTES = 3_800_000
const LONGEST_BYTES = 5_400_000
const STEP_BYTES = 40_000
/** Chunks that both kinds of completions can parse. */
const toFrame = (fields: object, finish: string | null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, ...fields, finish_reason: finish }] })}\n\n`
const FRAME = toFrame({ delta: { content: 'x'.repeat(450) }, text: 'x'.repeat(450) }, null)
const LAST_CHUNK = '\r\n0\r\n\r\n'
const END = `${toFrame({ delta: {}, text: '' }, 'stop')}data: [DONE]\n\n`

/**
 * Starts a provider whose answers declare no length, differ in length, and end with their
 * connection.
 */
async function startProvider(): Promise<Server> {
  let answers = 0
  const server = createServer((request, response) => {
    if (request.method === 'GET')
      return void response.end(
        JSON.stringify({ object: 'list', data: [{ id: 'long', object: 'model' }] }),
      )
    request.resume().once('end', () => {
      const bytes = SHORTEST_BYTES + ((answers * STEP_BYTES) % (LONGEST_BYTES - SHORTEST_BYTES))
      answers += 1
      const socket = response.socket!.on('error', () => undefined)
      socket.write(
        'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n',
      )
      socket.end(FRAME.repeat(Math.ceil(bytes / FRAME.length)) + END)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

let dataDir: string
let provider: Server
let gateway: GatewayProcess
let token: string
let output = ''

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'chat-gateway-slow-readers-'))
  provider = await startProvider()
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`
  gateway = await startGatewayProcess({
    DATA_DIR: dataDir,
    OPENAI_API_BASE_URLS: url,
    OPENAI_API_KEYS: 'key',
  })
  gateway.child.stderr!.on('data', (part: Buffer) => (output += part.toString()))
  const body = JSON.stringify({
    name: 'Ada',
    email: 'ada@example.com',
    password: 'correct horse battery',
  })
  const reply = await fetch(`${gateway.url}/api/v1/auths/signup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  })
  token = ((await reply.json()) as { token: string }).token
  await (
    await fetch(`${gateway.url}/api/models`, { headers: { Authorization: `Bearer ${token}` } })
  ).json()
})
afterAll(async () => {
  if (gateway.child.exitCode === null) await gateway.kill()
  provider.closeAllConnections()
  provider.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Requests a stream and reads nothing of it. */
function askWithoutReading(target: string): Socket {
  const { hostname, port } = new URL(gateway.url)
  const messages = [{ role: 'user', content: 'x' }]
  const question = target.endsWith('/responses')
    ? { input: 'x' }
    : { messages, prompt: 'x', max_tokens: 9 }
  const body = JSON.stringify({ model: 'long', stream: true, ...question })
  const socket = connect({ port: Number(port), host: hostname }).pause()
  socket.on('error', () => undefined)
  socket.write(
    `POST ${target} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\nAuthorization: Bearer ${token}\r\n`,
  )
  socket.write(`Content-Length: ${body.length}\r\n\r\n${body}`)
  return socket
}

/** Resolves when the gateway reads nothing more from the provider, or has ended. */
async function untilStill(): Promise<void> {
  const openConnections = (): Promise<number> =>
    new Promise((resolve) =>
      provider.getConnections((_, count) => resolve(gateway.child.exitCode === null ? count : 0)),
    )
  let before = -1
  await expect
    .poll(
      async () => {
        const now = await openConnections()
        const isStill = now === before
        before = now
        return isStill
      },
      { interval: 500, timeout: 10_000 },
    )
    .toBe(true)
}

test.each([
  ['/api/chat/completions', 40],
  ['/api/v1/messages', 12],
  ['/openai/responses', 12],
  ['/openai/chat/completions', 40],
  ['/api/completions', 12],
])(
  'readers of %s who stop reading for a while do not end the process when the provider closes behind the end of its answers',
  async (target, readers) => {
    const sockets = Array.from({ length: readers }, () => askWithoutReading(target))
    await untilStill()
    let ended = 0
    for (const socket of sockets) {
      let last = ''
      socket.on('data', (piece: Buffer) => {
        last = (last + piece.subarray(-LAST_CHUNK.length).toString()).slice(-LAST_CHUNK.length)
        if (last === LAST_CHUNK) ended += 1
      })
      socket.resume()
    }
    await expect
      .poll(() => (gateway.child.exitCode !== null || ended === readers ? readers : ended), {
        timeout: 15_000,
      })
      .toBe(readers)
    expect(gateway.child.exitCode).toBeNull()
    // A fault that the gateway survives is one nevertheless.
    expect(output).not.toContain('not caught')
    for (const socket of sockets) socket.destroy()
    expect((await fetch(`${gateway.url}/health`)).status).toBe(200)
  },
  40_000,
)

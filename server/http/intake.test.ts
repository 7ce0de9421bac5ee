import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'

const MEBIBYTE = 1024 * 1024
let conversation: Conversation
let member: string
let port: number

beforeAll(async () => {
  conversation = await startConversation({
    environment: {
      JSON_BODY_MAX_VALUES: '20000',
      JSON_BODY_MAX_DEPTH: '50',
      REQUEST_MEMORY_PER_ACCOUNT: '4',
      REQUEST_MEMORY_ANONYMOUS: '1',
      WEBSOCKET_MAX_EVENT_SIZE: '1',
      CHAT_SAVE_MAX_MESSAGES: '150',
      BYPASS_MODEL_ACCESS_CONTROL: 'true',
    },
  })
  member = await conversation.addUser('Mallory')
  port = Number(new URL(conversation.server.url).port)
})
afterAll(() => conversation.close())

const QUESTION = { model: 'text', messages: [{ role: 'user', content: 'Hello' }] }

async function send(path: string, body: string | Buffer, headers: Record<string, string> = {}) {
  const response = await fetch(conversation.server.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: body as string,
  })
  const { detail } = (await response.json()) as { detail?: string }
  return { status: response.status, detail, headers: response.headers }
}

const complete = (body: string | Buffer, headers: Record<string, string> = {}) =>
  send('/api/chat/completions', body, { Authorization: `Bearer ${member}`, ...headers })

/** Starts a request whose body does not end. */
function begin(
  path: string,
  body: string,
  headers: Record<string, string> = {},
): { socket: Socket; reply: Promise<string> } {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  const lines = Object.entries({
    Host: `127.0.0.1:${port}`,
    'Content-Type': 'application/json',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`)
  socket.write(
    `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  )
  socket.write(`${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n`)
  return { socket, reply: once(socket, 'data').then(([bytes]) => String(bytes)) }
}

/** Counts the bytes the gateway has read of every call that starts from now on. */
function watchBytes(): { bytes(): number[]; stop(): void } {
  const sockets: Socket[] = []
  const note = (message: unknown): void => {
    sockets.push((message as { request: IncomingMessage }).request.socket)
  }
  subscribe('http.server.request.start', note)
  return {
    bytes: () => sockets.map(({ bytesRead }) => bytesRead),
    stop: () => unsubscribe('http.server.request.start', note),
  }
}

describe('the structure of a body', () => {
  test('more values than allowed are 413 with the number and the setting, in few bytes and in many', async () => {
    for (const count of [20_001, 1_000_000]) {
      expect(
        await complete(`{"model":"text","messages":[${'{},'.repeat(count)}{}]}`),
      ).toMatchObject({
        status: 413,
        detail: expect.stringMatching(/more than 20000 values.*JSON_BODY_MAX_VALUES/) as string,
      })
    }
  })

  test('deep nesting is 413 with the number and the setting, before a list is made of it', async () => {
    expect(await complete(`{"x":${'['.repeat(51)}${']'.repeat(51)}}`)).toMatchObject({
      status: 413,
      detail: expect.stringMatching(/more than 50 levels.*JSON_BODY_MAX_DEPTH/) as string,
    })
  })

  test('a large body is answered like a small one: its faults with their places, its fields as they came', async () => {
    const messages: unknown[] = Array.from({ length: 4000 }, (_, index) => ({
      role: 'user',
      content: `words of message ${index} `.repeat(4),
    }))
    expect(await complete(JSON.stringify({ ...QUESTION, messages }))).toMatchObject({ status: 200 })
    expect(conversation.upstream.requests.at(-1)!.json).toMatchObject({ messages })
    messages[3000] = { role: null }
    expect(await complete(JSON.stringify({ ...QUESTION, messages }))).toMatchObject({
      status: 422,
      detail: [{ loc: ['body', 'messages', 3000, 'role'] }],
    })
    expect(
      await complete(`${JSON.stringify({ ...QUESTION, messages }).slice(0, -1)},}`),
    ).toMatchObject({ status: 422 })
  })
})

test('a byte order mark, which some programs write before JSON, is passed over', async () => {
  const marked = (mark: string) => `\uFEFF${JSON.stringify({ ...QUESTION, mark })}`
  for (const mark of ['short', 'é'.repeat(200_000)]) {
    expect(await complete(marked(mark))).toMatchObject({ status: 200 })
    expect(conversation.upstream.requests.at(-1)!.json).toMatchObject({ mark })
  }
  expect(await complete(gzipSync(marked('packed')), { 'Content-Encoding': 'gzip' })).toMatchObject({
    status: 200,
  })
  expect((await complete(`\uFEFF${marked('twice')}`)).status).toBe(422)
  expect((await complete('\uFEFF')).status).toBe(422)
})

describe('a chat', () => {
  test('of more messages than one call may store is 413 with the number and the setting, and comes in parts', async () => {
    const toChat = (count: number) =>
      JSON.stringify({
        chat: {
          history: {
            messages: Object.fromEntries(
              Array.from({ length: count }, (_, index) => [`m${index}`, { role: 'user' }]),
            ),
          },
        },
      })
    const headers = { Authorization: `Bearer ${member}` }
    expect(await send('/api/v1/chats/new', toChat(151), headers)).toMatchObject({
      status: 413,
      detail: expect.stringMatching(
        /has 151 messages; one call may store 150 \(CHAT_SAVE_MAX_MESSAGES\)/,
      ) as string,
    })
    expect((await send('/api/v1/chats/new', toChat(150), headers)).status).toBe(200)
  })
})

describe('an encoded body', () => {
  test('is decoded from gzip, deflate and br, and forwarded as what it says', async () => {
    const text = JSON.stringify({ ...QUESTION, mark: 'é'.repeat(100_000) })
    for (const [encoding, encode] of [
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['br', brotliCompressSync],
    ] as const) {
      expect(await complete(encode(text), { 'Content-Encoding': encoding })).toMatchObject({
        status: 200,
      })
      expect(conversation.upstream.requests.at(-1)!.json).toMatchObject({
        mark: 'é'.repeat(100_000),
      })
    }
  })

  test('meets the same bounds decoded, so that a bomb ends where they end', async () => {
    const values = gzipSync(`[${'{},'.repeat(1_000_000)}{}]`)
    expect(await complete(values, { 'Content-Encoding': 'gzip' })).toMatchObject({
      status: 413,
      detail: expect.stringContaining('values') as string,
    })
    const long = gzipSync(Buffer.alloc(20 * MEBIBYTE, ' '))
    expect((await complete(long, { 'Content-Encoding': 'gzip' })).status).toBe(429)
  })

  test('in an encoding nobody knows is 415 with those that are known, and a broken one is 400', async () => {
    const refused = await complete('{}', { 'Content-Encoding': 'compress' })
    expect(refused).toMatchObject({
      status: 415,
      detail: expect.stringContaining('gzip, deflate, br') as string,
    })
    expect(refused.headers.get('accept-encoding')).toBe('gzip, deflate, br')
    for (const body of ['{}', gzipSync(JSON.stringify(QUESTION)).subarray(0, 40)]) {
      expect(await complete(body, { 'Content-Encoding': 'gzip' })).toMatchObject({
        status: 400,
        detail: expect.stringContaining('Content-Encoding') as string,
      })
    }
  })

  test('is 415 where a file is expected', async () => {
    for (const [path, type] of [
      ['/api/v1/files/', 'multipart/form-data; boundary=x'],
      ['/api/v1/chats/imports', 'application/json'],
    ] as const) {
      expect(
        await send(path, gzipSync('x'), {
          Authorization: `Bearer ${member}`,
          'Content-Type': type,
          'Content-Encoding': 'gzip',
        }),
      ).toMatchObject({ status: 415, detail: expect.stringContaining('identity') as string })
    }
  })
})

describe('an event of a script', () => {
  test('is 413 when it is longer than allowed, and when its message cannot hold more', async () => {
    const { chat_id, id } = await conversation.createChat('Hello', { token: member })
    const post = (data: unknown) =>
      send(
        `/api/v1/chats/${chat_id}/messages/${id}/event`,
        JSON.stringify({ type: 'status', data }),
        { Authorization: `Bearer ${member}` },
      )
    expect(await post({ description: 'x'.repeat(1.5 * MEBIBYTE) })).toMatchObject({
      status: 413,
      detail: expect.stringMatching(/larger than the 1 MiB.*WEBSOCKET_MAX_EVENT_SIZE/) as string,
    })
    const statuses: number[] = []
    for (let count = 0; count < 5; count += 1)
      statuses.push((await post({ description: 'x'.repeat(900_000) })).status)
    expect(statuses).toEqual([200, 200, 200, 200, 413])
  })
})

const signInAsNobody = async (): Promise<number> =>
  (
    await send(
      '/api/v1/auths/signin',
      JSON.stringify({ email: 'nobody@example.com', password: 'x' }),
    )
  ).status

describe('bodies under way', () => {
  test('of one account are 429 beyond its memory, while another account and the same one later are served', async () => {
    const body = `"${'x'.repeat(MEBIBYTE - STEP)}`
    const arrived = watchBytes()
    const held = Array.from({ length: 4 }, () =>
      begin('/api/chat/completions', body, { Authorization: `Bearer ${member}` }),
    )
    // A call sent before all of them have arrived would take the memory of one of them.
    await expect
      .poll(() => arrived.bytes().filter((bytes) => bytes >= body.length).length)
      .toBe(held.length)
    arrived.stop()
    const refused = await complete(JSON.stringify({ ...QUESTION, more: 'x'.repeat(MEBIBYTE / 2) }))
    expect(refused).toMatchObject({
      status: 429,
      detail: expect.stringContaining('REQUEST_MEMORY_PER_ACCOUNT') as string,
    })
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(
      (await complete(JSON.stringify(QUESTION), { Authorization: `Bearer ${conversation.token}` }))
        .status,
    ).toBe(200)
    for (const { socket } of held) socket.destroy()
    await expect
      .poll(
        async () =>
          (await complete(JSON.stringify({ ...QUESTION, more: 'x'.repeat(MEBIBYTE / 2) }))).status,
      )
      .toBe(200)
  })

  test('of callers without an account are small and few', async () => {
    expect(await send('/api/v1/auths/signin', `{"x":"${'x'.repeat(70_000)}"}`)).toMatchObject({
      status: 413,
    })
    const held = Array.from({ length: 3 }, () =>
      begin('/api/v1/auths/signin', `"${'x'.repeat(40_000)}`),
    )
    const refused = await Promise.any(held.map(({ reply }) => reply))
    expect(refused).toMatch(
      /^HTTP\/1.1 429 [^]*Retry-After: 1[^]*64 KiB, a sixteenth of REQUEST_MEMORY_ANONYMOUS/,
    )
    for (const { socket } of held) socket.destroy()
    await expect.poll(signInAsNobody).toBe(400)
  })

  test('of callers without an account that come slowly keep nobody out: the oldest gives way', async () => {
    const held = Array.from({ length: 5 }, () =>
      begin('/api/v1/auths/signin', `"${'x'.repeat(16_000)}`),
    )
    // There is memory for four of them only.
    expect(await Promise.any(held.map(({ reply }) => reply))).toMatch(
      /^HTTP\/1.1 429 [^]*REQUEST_MEMORY_ANONYMOUS/,
    )
    expect(await signInAsNobody()).toBe(400)
    for (const { socket } of held) socket.destroy()
  })

  test('are refused without reading where the caller has no right', async () => {
    const { socket, reply } = begin('/api/v1/configs/import', '"x', {
      Authorization: `Bearer ${member}`,
    })
    expect(await reply).toMatch(/^HTTP\/1.1 401 /)
    socket.destroy()
  })
})

/** A client that sends everything before it reads anything, as many do. */
async function sendWhole(
  path: string,
  { size, headers }: { size: number; headers: Record<string, string> },
): Promise<string> {
  const socket = connect(port, '127.0.0.1').pause()
  let fault: Error | null = null
  socket.on('error', (error) => (fault = error))
  const lines = Object.entries({
    Host: `127.0.0.1:${port}`,
    ...headers,
    'Content-Length': String(size),
  }).map(([name, value]) => `${name}: ${value}`)
  socket.write(
    `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a.exe"\r\n\r\n`,
  )
  const piece = Buffer.alloc(MEBIBYTE, 'x')
  for (let sent = 0; sent < size && !fault; sent += MEBIBYTE)
    await new Promise((resolve) => socket.write(piece, resolve))
  if (fault) return String(fault)
  const [reply] = (await once(socket.resume(), 'data')) as [Buffer]
  socket.destroy()
  return String(reply)
}

describe('a form that is refused', () => {
  const form = { 'Content-Type': 'multipart/form-data; boundary=x' }
  test.each([
    ['for want of a right', '/api/v1/pipelines/upload', form, / 401 .*do not have permission/s],
    [
      'for want of a sign-in',
      '/api/v1/files/',
      { ...form, Authorization: '' },
      / 401 .*Sign in again/s,
    ],
    ['for its type', '/api/v1/files/', { 'Content-Type': 'text/plain' }, / 415 .*multipart/s],
    [
      'for its length',
      '/api/v1/users/user/settings/update',
      { 'Content-Type': 'application/json' },
      / 413 .*larger than/s,
    ],
    [
      'by a gateway that closes the connection afterwards',
      '/api/v1/pipelines/upload',
      { ...form, Connection: 'close' },
      / 401 .*permission/s,
    ],
  ])(
    '%s is read on, so that a client that sends all of it first gets the sentence',
    async (_, path, headers, sentence) => {
      const replies = await Promise.all(
        Array.from({ length: 3 }, () =>
          sendWhole(path, {
            size: 12 * MEBIBYTE,
            headers: { Authorization: `Bearer ${member}`, ...headers },
          }),
        ),
      )
      for (const reply of replies) expect(reply).toMatch(sentence)
    },
  )
})

/** The part of the first body that is not counted exactly. */
const STEP = 16 * 1024

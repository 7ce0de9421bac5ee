import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import {
  createServer as createSecureServer,
  getCACertificates,
  setDefaultCACertificates,
} from 'node:tls'
import { afterEach, expect, it } from 'vitest'
import { createTestCertificate } from '../../testing/create-test-certificate.ts'
import {
  createOutgoingTarget,
  StaleConnectionError,
  type OutgoingTarget,
} from '../outgoing/outgoing.ts'

const never = new AbortController().signal
const call = {
  method: 'POST',
  path: '/x',
  headers: { accept: '*/*' },
  body: 'hello',
  firstByteMilliseconds: 5000,
  idleMilliseconds: 5000,
} as const
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const item of opened.splice(0).toReversed()) await item.close()
})

type Serve = (socket: Socket, request: string, place: number) => void

/** Replies on its sockets with exact bytes; `place` counts the requests of a connection. */
async function serve(answer: Serve, server: Server = createServer(), protocol = 'http') {
  const sockets: Socket[] = []
  server.on(protocol === 'http' ? 'connection' : 'secureConnection', (socket: Socket) => {
    sockets.push(socket)
    let place = 0
    socket.on('data', (bytes) => answer(socket, bytes.toString('latin1'), (place += 1)))
    socket.on('error', () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const host = protocol === 'http' ? '127.0.0.1' : 'localhost'
  const target = createOutgoingTarget(`${protocol}://${host}:${port}`, {
    connectMilliseconds: 2000,
  })
  opened.push({ close: () => (sockets.map((socket) => socket.destroy()), server.close()) }, target)
  return { target, sockets }
}

const ask = async (target: OutgoingTarget, request: Partial<typeof call> = {}): Promise<string> =>
  (await (await target.open({ ...call, ...request }, never)).bytes(1e6)).toString()

it('writes a request as a server expects it', async () => {
  const heard: string[] = []
  const { target } = await serve((socket, request) => {
    heard.push(request)
    socket.write(OK)
  })
  await ask(target)
  const post = { firstByteMilliseconds: 5000, idleMilliseconds: 5000, headers: {}, path: '/y?z' }
  for (const method of ['GET', 'DELETE', 'POST'] as const)
    await (await target.open({ ...post, method, body: null }, never)).bytes(10)
  const lines = heard.map((text) => text.replace(/host: 127.0.0.1:\d+/, 'host: here'))
  const kept = 'host: here\r\nconnection: keep-alive\r\n'
  expect(lines).toEqual([
    `POST /x HTTP/1.1\r\n${kept}accept: */*\r\ncontent-length: 5\r\n\r\nhello`,
    `GET /y?z HTTP/1.1\r\n${kept}\r\n`,
    `DELETE /y?z HTTP/1.1\r\n${kept}\r\n`,
    `POST /y?z HTTP/1.1\r\n${kept}content-length: 0\r\n\r\n`,
  ])
})

it('lets no header or path begin another line', async () => {
  const { target } = await serve((socket) => void socket.write(OK))
  const bad: Record<string, string>[] = [
    { 'x-a': 'b\r\nx-c: d' },
    { 'x-a\r\nx-c': 'd' },
    { 'x a': 'b' },
  ]
  for (const headers of bad)
    await expect(target.open({ ...call, headers }, never)).rejects.toThrow('invalid')
  await expect(target.open({ ...call, path: '/x HTTP/1.1\r\nx-c: d' }, never)).rejects.toThrow(
    'invalid',
  )
})

it.each([1000, 100_000])('sends a body of %d bytes whole', async (length) => {
  const { target } = await serve(
    (() => {
      let text = ''
      return (socket, piece) => {
        text += piece
        const [, body] = text.split('\r\n\r\n')
        if (body!.length === length) socket.write(OK)
      }
    })(),
  )
  expect(await ask(target, { body: 'x'.repeat(length) as 'hello' })).toBe('ok')
})

it('keeps no connection whose sides may disagree on where a reply ended', async () => {
  const endings = [
    `${OK}HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison`,
    'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok',
    'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\nContent-Length: 2\r\n\r\nok',
  ]
  for (const ending of endings) {
    const { target, sockets } = await serve((socket) => void socket.write(ending))
    for (let count = 0; count < 3; count += 1) expect(await ask(target)).toBe('ok')
    expect(sockets).toHaveLength(3)
  }
})

it('takes nothing for a reply that came before its request', async () => {
  const { target, sockets } = await serve((socket, _, place) => {
    socket.write(OK)
    if (place === 1) setTimeout(() => socket.write(OK.replace('ok', 'no')), 10)
  })
  expect(await ask(target)).toBe('ok')
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(await ask(target)).toBe('ok')
  expect(sockets).toHaveLength(2)
})

it('says that a kept connection was closed, so that the call can be made again', async () => {
  const { target } = await serve((socket, _, place) => {
    if (place === 1) socket.write(OK)
    else socket.destroy()
  })
  expect(await ask(target)).toBe('ok')
  await expect(ask(target)).rejects.toThrow(StaleConnectionError)
  await expect(target.open({ ...call, onNewConnection: true }, never)).resolves.toBeDefined()
})

it('fails a reply that is none, and those whose time is over', async () => {
  const answers: Record<string, string> = {
    '/nonsense': 'nonsense\r\n\r\n',
    '/late': '',
    '/slow-head': 'HTTP/1.1 200 OK\r\n',
    '/silent': 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok',
  }
  const { target, sockets } = await serve(
    (socket, request) => void socket.write(answers[request.split(' ')[1]!]!),
  )
  const times = { firstByteMilliseconds: 60, idleMilliseconds: 60 }
  const codeOf = (path: string) =>
    target
      .open({ ...call, ...times, path }, never)
      .then((reply) => reply.bytes(100))
      .catch((error: { code: string }) => error.code)
  const codes = await Promise.all(Object.keys(answers).map(codeOf))
  expect(codes).toEqual([
    'HPE_INVALID_HEADER_TOKEN',
    'UND_ERR_HEADERS_TIMEOUT',
    'UND_ERR_HEADERS_TIMEOUT',
    'UND_ERR_BODY_TIMEOUT',
  ])
  await expect.poll(() => sockets.every((socket) => socket.destroyed)).toBe(true)
})

it('does not count the time in which its reader held a reply back', async () => {
  const { target } = await serve((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n')
    socket.write('x'.repeat(300_000))
  })
  const reply = await target.open({ ...call, idleMilliseconds: 60 }, never)
  reply.pause()
  await new Promise((resolve) => setTimeout(resolve, 150))
  reply.resume()
  expect((await reply.bytes(1e6)).length).toBe(300_000)
})

it('reports that nothing listens, and calls nobody after it was closed', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  const target = createOutgoingTarget(`http://127.0.0.1:${port}`, { connectMilliseconds: 2000 })
  await expect(ask(target)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await target.close()
  await expect(ask(target)).rejects.toMatchObject({ code: 'UND_ERR_DESTROYED' })
})

it('speaks TLS, and believes no certificate it does not know', async () => {
  const certificate = createTestCertificate({ name: 'localhost', days: 10 })
  const server = createSecureServer(certificate) as unknown as Server
  const body = 'x'.repeat(100_000)
  const { target, sockets } = await serve(
    (socket) =>
      void socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
    server,
    'https',
  )
  await expect(ask(target)).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  const known = getCACertificates()
  setDefaultCACertificates([...known, certificate.cert])
  try {
    for (let count = 0; count < 3; count += 1) expect(await ask(target)).toBe(body)
  } finally {
    setDefaultCACertificates(known)
  }
  expect(sockets).toHaveLength(1)
})

import { once } from 'node:events'
import { createServer, connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { joinWrites } from './join-writes.ts'

const server = createServer((socket) => socket.on('data', (piece: Buffer) => heard.push(piece)))
let heard: Buffer[] = []
let socket: Socket

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  socket = connect((server.address() as { port: number }).port, '127.0.0.1')
  await once(socket, 'connect')
  joinWrites(socket)
})
afterAll(() => {
  socket.destroy()
  server.close()
})

/** What the other side hears of a few writes between `cork` and `uncork`. */
async function send(write: () => void, length: number): Promise<Buffer> {
  heard = []
  socket.cork()
  write()
  socket.uncork()
  await expect.poll(() => Buffer.concat(heard).length).toBe(length)
  return Buffer.concat(heard)
}

it('a head and a short body leave in one write, byte for byte', async () => {
  const head = 'POST / HTTP/1.1\r\nname: \xe9\r\n\r\n'
  const body = Buffer.from('{"text":"größer"}')
  const before = socket.bytesWritten
  const sent = await send(() => {
    socket.write(head, 'latin1')
    socket.write(body)
  }, head.length + body.length)
  expect(sent.toString('latin1')).toBe(head + body.toString('latin1'))
  expect(socket.bytesWritten - before).toBe(sent.length)
  expect(heard).toHaveLength(1)
})

it('a long body, or a text in other letters, leaves as it would have', async () => {
  const body = Buffer.alloc(100_000, 'x')
  const sent = await send(() => {
    socket.write('head\r\n', 'latin1')
    socket.write(body)
    socket.write('é', 'utf8')
  }, 100_008)
  expect(sent.equals(Buffer.concat([Buffer.from('head\r\n'), body, Buffer.from('é')]))).toBe(true)
})

it('whoever asks hears when a piece was written, corked or not', async () => {
  const written: string[] = []
  await send(() => {
    socket.write('a', 'latin1')
    socket.write('b', 'latin1', () => written.push('b'))
  }, 2)
  await new Promise<void>((resolve) => socket.write('c', () => resolve()))
  expect(written).toEqual(['b'])
})

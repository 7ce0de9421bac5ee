import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { limitBodyTime, type BodyPace } from './limit-body-time.ts'

const PACE: BodyPace = { milliseconds: 400, bytesPerSecond: 1000, silentMilliseconds: 150 }

/** Sends pieces of a body with pauses; returns the reply. */
async function send(
  pieces: readonly string[],
  pauses: number | readonly number[],
  announced: number,
  pace = PACE,
): Promise<string> {
  const server = createServer({ requestTimeout: 0 }, (request, response) => {
    limitBodyTime(request, response, pace)
    request.resume().once('end', () => response.end('whole'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let reply = ''
  socket.on('data', (data) => (reply += data.toString()))
  socket.on('error', () => {})
  const closed = once(socket, 'close')
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${announced}\r\n\r\n`,
  )
  for (const [index, piece] of pieces.entries()) {
    await sleep(typeof pauses === 'number' ? pauses : pauses[index])
    if (!socket.writable) break
    socket.write(piece)
  }
  await closed
  return reply
}

it('whoever reads a body that was given up is told', async () => {
  const { promise: told, resolve } = Promise.withResolvers<Error>()
  const server = createServer({ requestTimeout: 0 }, (request, response) => {
    limitBodyTime(request, response, PACE)
    request.resume().once('error', resolve)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nbegun')
  expect((await once(socket, 'data')).join()).toContain('408')
  expect(await told).toMatchObject({ message: 'Request aborted' })
})

it('a large body may take longer than a small one, as long as something comes', async () => {
  expect(
    await send(
      Array.from({ length: 12 }, () => 'x'.repeat(100)),
      60,
      1200,
    ),
  ).toContain('whole')
})

it('a body that comes slower than the slowest line is given up', async () => {
  expect(
    await send(
      Array.from({ length: 30 }, () => 'x'),
      60,
      30,
    ),
  ).toMatch(
    /^HTTP\/1.1 408 [^]*came too slowly.*silent for 0.15 seconds and take 0.4 seconds.*1000 bytes.*fixed/,
  )
})

it('a connection that falls silent is closed', async () => {
  expect(await send(['x'], 10, 1_000_000)).toContain('408')
})

it('a body is given up for its pace although one silence may last longer than it may take in all', async () => {
  const pace: BodyPace = {
    milliseconds: 300,
    bytesPerSecond: 1_000_000,
    silentMilliseconds: 60_000,
  }
  expect(await send(['x', 'x', 'x', 'x', 'x', 'x'], 200, 6, pace)).toMatch(
    /^HTTP\/1.1 408 [^]*take 0.3 seconds/,
  )
})

it('a silence counts from the last byte that came', async () => {
  const pace: BodyPace = {
    milliseconds: 60_000,
    bytesPerSecond: 1_000_000,
    silentMilliseconds: 1000,
  }
  const [soon, late] = [100, 1800]
  expect(await send(['x', 'x'], [soon, late], 2, pace)).toMatch(
    /^HTTP\/1.1 408 [^]*silent for 1 seconds/,
  )
})

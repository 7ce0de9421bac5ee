import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createServer } from '../node-http.ts'
import { GatewayRequest } from './gateway-request.ts'

/** Answers what it read of a body, and how; `/late` reads once all of it is here. */
const server = createServer({ IncomingMessage: GatewayRequest }, (request, response) => {
  void answer(request as GatewayRequest).then((answered) => response.end(answered))
})
async function answer(request: GatewayRequest): Promise<string> {
  while (request.url === '/late' && !request.complete) await nextTurn()
  return new Promise((resolve) => {
    const pieces: string[] = []
    const take = (piece: Buffer): void => {
      pieces.push(String(piece))
      if (request.url !== '/stop') return
      request.stopReading()
      resolve(text(request).then((rest) => `${pieces.join('')} then ${rest}`))
    }
    const isDirect = request.readInto({ take, end: () => resolve(`read ${pieces.join('+')}`) })
    if (!isDirect) resolve(text(request).then((whole) => `stream ${whole}`))
  })
}

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** Sends pieces one after the other on one connection and waits until it heard `last`. */
async function talk(pieces: readonly string[], last: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let heard = ''
  socket.on('data', (piece: Buffer) => (heard += String(piece)))
  for (const piece of pieces) {
    await new Promise<void>((resolve) => socket.write(piece, () => resolve()))
    for (let turn = 0; turn < 20; turn += 1) await nextTurn()
  }
  await expect.poll(() => heard).toContain(last)
  socket.destroy()
  return heard
}
const head = (path: string, length: number): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`

it('a body goes straight to its reader, and the connection takes the next request', async () => {
  const heard = await talk(
    [`${head('/', 3)}one`, `${head('/', 4)}t`, 'wo!', `${head('/', 0)}`, `${head('/', 4)}last`],
    'read last',
  )
  expect(heard.match(/read .*?(?=HTTP|$)/g)).toEqual([
    'read one',
    'read t+wo!',
    'read ',
    'read last',
  ])
})

it('a body that came before somebody reads it is in the stream', async () => {
  expect(await talk([`${head('/late', 4)}la`, 'te'], 'late')).toContain('stream late')
})

it('what comes after a reader stopped is in the stream', async () => {
  expect(await talk([`${head('/stop', 6)}abc`, 'def'], 'then')).toContain('abc then def')
})

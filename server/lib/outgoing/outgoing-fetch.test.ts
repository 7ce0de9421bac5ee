import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createOutgoingFetch, readWhole, type OutgoingFetch } from './outgoing-fetch.ts'

const open: { server: Server; outgoing: OutgoingFetch }[] = []
afterEach(async () => {
  for (const { server, outgoing } of open.splice(0)) {
    await outgoing.close()
    server.closeAllConnections()
    server.close()
  }
})

async function start(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const outgoing = createOutgoingFetch({ kind: 'tool_server' })
  open.push({ server, outgoing })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    call: async (method: string, body?: string): Promise<string> => {
      const reply = await outgoing.fetch(url, { method, body })
      return (await readWhole(reply, 1000, () => new Error('too large'))).toString()
    },
  }
}

/** A server that answers one request of each connection and resets it on the next one. */
async function startForgetful() {
  const used = new Set<Socket>()
  const carriedOut: string[] = []
  const started = await start((request, response) => {
    const { socket, method = '' } = request
    carriedOut.push(method)
    if (used.has(socket)) return void socket.resetAndDestroy()
    used.add(socket)
    request.resume().once('end', () => response.end('done'))
  })
  return { ...started, used, carriedOut }
}

describe('calls over a connection that the other side ends between them', () => {
  it('are made again if they only read', async () => {
    const { call, carriedOut } = await startForgetful()
    expect([await call('GET'), await call('GET'), await call('GET')]).toEqual([
      'done',
      'done',
      'done',
    ])
    expect(carriedOut.length).toBeLessThanOrEqual(5)
  })

  it('never reach it twice if they change something', async () => {
    const { call, carriedOut } = await startForgetful()
    await call('GET')
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expect([method, await call(method, '{}')]).toEqual([method, 'done'])
    expect(carriedOut).toEqual(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
  })

  it('share a connection as long as it is kept', async () => {
    const sockets = new Set<Socket>()
    const { call } = await start(({ socket }, response) => {
      sockets.add(socket)
      response.end('done')
    })
    for (let count = 0; count < 5; count += 1) await call('GET')
    expect(sockets.size).toBeLessThanOrEqual(2)
  })

  it('fail with their reason if the server breaks off each of them', async () => {
    let count = 0
    const { call } = await start(({ socket }) => {
      count += 1
      socket.resetAndDestroy()
    })
    await expect(call('GET')).rejects.toThrow('fetch failed')
    expect(count).toBeLessThanOrEqual(2)
    await expect(call('POST', '{}')).rejects.toThrow('fetch failed')
    expect(count).toBeLessThanOrEqual(3)
  })
})

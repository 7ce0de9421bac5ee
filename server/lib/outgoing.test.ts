import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createOutgoingTarget, OutgoingAbortedError, ReplyTooLargeError, type OutgoingTarget } from './outgoing.ts'

const opened: { close(): unknown }[] = []
const never = new AbortController().signal
const request = {
  method: 'POST',
  path: '/x',
  headers: { accept: '*/*' },
  body: 'hello',
  firstByteMilliseconds: 5000,
  idleMilliseconds: 5000,
} as const

afterEach(async () => {
  for (const item of opened.splice(0).toReversed()) await item.close()
})

async function start(listener: RequestListener): Promise<{ target: OutgoingTarget; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>()
  const server = createServer(listener)
  server.on('connection', (socket) => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push({
    close() {
      server.closeAllConnections()
      server.close()
    },
  })
  const target = createOutgoingTarget(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { connectMilliseconds: 5000 })
  opened.push(target)
  return { target, sockets }
}

describe('calls to other servers', () => {
  it('share kept-alive connections', async () => {
    const { target, sockets } = await start((_, response) => response.end('ok'))
    for (let count = 0; count < 20; count += 1) await (await target.open(request, never)).bytes(10)
    expect(sockets.size).toBeLessThanOrEqual(2)
  })

  it('send only the headers they were given', async () => {
    const { target } = await start((incoming, response) => response.end(JSON.stringify(incoming.headers)))
    const headers = JSON.parse((await (await target.open(request, never)).bytes(1000)).toString()) as Record<string, string>
    expect(Object.keys(headers).toSorted()).toEqual(['accept', 'connection', 'content-length', 'host'])
  })

  it('keep a body that came before anybody read it', async () => {
    const { target } = await start((_, response) => response.end('early'))
    const reply = await target.open(request, never)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect((await reply.bytes(10)).toString()).toBe('early')
  })

  it('refuse a body beyond the limit and close the connection', async () => {
    const { target, sockets } = await start((_, response) => void response.write('x'.repeat(5000)))
    await expect((await target.open(request, never)).bytes(1000)).rejects.toThrow(ReplyTooLargeError)
    await expect.poll(() => [...sockets].every((socket) => socket.destroyed)).toBe(true)
  })

  it('give the body in pieces, to its end', async () => {
    const { target } = await start((_, response) => {
      response.write('a')
      setTimeout(() => response.end('b'), 20)
    })
    const pieces: string[] = []
    for await (const chunk of (await target.open(request, never)).chunks()) pieces.push(chunk.toString())
    expect(pieces.join('')).toBe('ab')
  })

  it('fail at once when they are aborted, before and after the head', async () => {
    const { target } = await start((incoming, response) => void (incoming.headers['x-late'] ? null : response.write('head')))
    const before = new AbortController()
    const late = target.open({ ...request, headers: { 'x-late': '1' } }, before.signal)
    setTimeout(() => before.abort(), 20)
    await expect(late).rejects.toThrow(OutgoingAbortedError)
    const after = new AbortController()
    const reply = await target.open(request, after.signal)
    const body = reply.bytes(100)
    after.abort()
    await expect(body).rejects.toThrow(OutgoingAbortedError)
    await expect(target.open(request, AbortSignal.abort())).rejects.toThrow(OutgoingAbortedError)
  })

  it('report a body that ends too early', async () => {
    const { target } = await start((_, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('short')
      setTimeout(() => response.destroy(), 20)
    })
    await expect((await target.open(request, never)).bytes(1000)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' })
  })

  it('end while running ones go on when a target retires, and all at once when it closes', async () => {
    const { target } = await start((_, response) => {
      response.write('a')
      setTimeout(() => response.end('b'), 50)
    })
    const reply = await target.open(request, never)
    const retired = target.retire()
    await expect(target.open(request, never)).rejects.toMatchObject({ code: 'UND_ERR_CLOSED' })
    expect((await reply.bytes(10)).toString()).toBe('ab')
    await retired
    await target.close()
  })

  it('may be aborted by a reader that is called for the last time while the other side closes', async () => {
    const { target } = await start(({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n')
      setTimeout(() => socket.write('piece'), 20)
      setTimeout(() => socket.end(), 50)
    })
    const reply = await target.open(request, never)
    const heard: string[] = []
    const failure = await new Promise<Error>((resolve) => {
      reply.read({
        onData(chunk) {
          heard.push(chunk.toString())
          if (chunk.length === 0) reply.abort()
          return false
        },
        onEnd: () => void heard.push('end'),
        onFailure: resolve,
      })
    })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(failure).toBeInstanceOf(OutgoingAbortedError)
    expect(heard).toEqual(['piece', ''])
  })

  it.each(['onData', 'onEnd', 'onFailure'] as const)('fail alone when what reads them throws in %s', async (place) => {
    const { target } = await start((_, response) => {
      response.write('piece')
      setTimeout(() => (place === 'onFailure' ? response.destroy() : response.end()), 20)
    })
    const reply = await target.open(request, never)
    const failures: Error[] = []
    const throwAt = (at: string): void => {
      if (at === place) throw new Error('thrown by the reader')
    }
    reply.read({
      onData: () => (throwAt('onData'), true),
      onEnd: () => throwAt('onEnd'),
      onFailure(error) {
        failures.push(error)
        throwAt('onFailure')
      },
    })
    await expect.poll(() => failures.length).toBe(1)
    expect(failures[0]!.message).toBe(place === 'onFailure' ? 'other side closed' : 'thrown by the reader')
    expect((await (await target.open(request, never)).chunks().next()).value?.toString()).toBe('piece')
  })
})

import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { SLICE_MILLISECONDS } from '../turns.ts'
import {
  createOutgoingTarget,
  OutgoingAbortedError,
  ReplyTooLargeError,
  type OutgoingReply,
  type OutgoingTarget,
} from './outgoing.ts'

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

async function start(
  listener: RequestListener,
): Promise<{ target: OutgoingTarget; sockets: Set<Socket> }> {
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
  const target = createOutgoingTarget(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    { connectMilliseconds: 5000 },
  )
  opened.push(target)
  return { target, sockets }
}

/**
 * Starts a server in another thread whose replies have the given length and are sent as fast as
 * they are read.
 */
async function startFastServer(bytes: number): Promise<OutgoingTarget> {
  const code = `
    const { parentPort, workerData } = require('node:worker_threads')
    const server = require('node:http').createServer((_, response) => response.end(Buffer.alloc(workerData)))
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`
  const worker = new Worker(code, { eval: true, workerData: bytes })
  opened.push({ close: () => worker.terminate() })
  const [port] = (await once(worker, 'message')) as [number]
  const target = createOutgoingTarget(`http://127.0.0.1:${port}`, { connectMilliseconds: 5000 })
  opened.push(target)
  return target
}

const work = (milliseconds: number): void => {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

describe('calls to other servers', () => {
  it('share kept-alive connections', async () => {
    const { target, sockets } = await start((_, response) => response.end('ok'))
    for (let count = 0; count < 20; count += 1) await (await target.open(request, never)).bytes(10)
    expect(sockets.size).toBeLessThanOrEqual(2)
  })

  it('send only the headers they were given', async () => {
    const { target } = await start((incoming, response) =>
      response.end(JSON.stringify(incoming.headers)),
    )
    const headers = JSON.parse(
      (await (await target.open(request, never)).bytes(1000)).toString(),
    ) as Record<string, string>
    expect(Object.keys(headers).toSorted()).toEqual([
      'accept',
      'connection',
      'content-length',
      'host',
    ])
  })

  it('have one text for each header that is read, however often it was sent', async () => {
    const { target } = await start((_, response) => {
      const head = [
        'Content-Type: text/plain',
        'Content-Type: text/html',
        'Retry-After: 1',
        'Retry-After: 2',
        'X-Other: a',
        'X-Other: b',
      ]
      response.socket!.end(`HTTP/1.1 200 OK\r\n${head.join('\r\n')}\r\nContent-Length: 0\r\n\r\n`)
    })
    const { headers } = await target.open(request, never)
    expect(headers).toMatchObject({
      'content-type': 'text/plain',
      'retry-after': '1',
      'x-other': ['a', 'b'],
    })
  })

  it('ignore that they may go on where they did not ask, also on connections that were used before', async () => {
    const goOn = 'HTTP/1.1 100 Continue\r\nX-Note: a\r\n\r\n'
    const { target, sockets } = await start(({ socket }, response) => {
      socket.write(goOn + goOn)
      socket.write('HTTP/1.1 100 Cont')
      setTimeout(() => {
        socket.write('inue\r\n\r\n')
        setImmediate(() => response.end(goOn))
      }, 5)
    })
    for (let count = 0; count < 3; count += 1) {
      const reply = await target.open(request, never)
      expect([reply.status, (await reply.bytes(100)).toString()]).toEqual([200, goOn])
    }
    expect(sockets.size).toBeLessThan(3)
  })

  it('keep a body that came before anybody read it', async () => {
    const { target } = await start((_, response) => response.end('early'))
    const reply = await target.open(request, never)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect((await reply.bytes(10)).toString()).toBe('early')
  })

  it('refuse a body beyond the limit and close the connection', async () => {
    const { target, sockets } = await start((_, response) => void response.write('x'.repeat(5000)))
    await expect((await target.open(request, never)).bytes(1000)).rejects.toThrow(
      ReplyTooLargeError,
    )
    await expect.poll(() => [...sockets].every((socket) => socket.destroyed)).toBe(true)
  })

  it('share each turn of the event loop with everybody else, however many bring much at the same time', async () => {
    const [bytes, readers] = [640_000, 60]
    const target = await startFastServer(bytes)
    const replies = await Promise.all(
      Array.from({ length: readers }, () => target.open(request, never)),
    )
    let [inTurn, most, isReading] = [0, 0, true]
    const turn = (): void => {
      most = Math.max(most, inTurn)
      inTurn = 0
      if (isReading) setImmediate(turn)
    }
    setImmediate(turn)
    const read = (reply: OutgoingReply) =>
      new Promise<number>((resolve, reject) => {
        let size = 0
        reply.read({
          onData(piece) {
            work(1)
            inTurn += 1
            size += piece.length
            return true
          },
          onEnd: () => resolve(size),
          onFailure: reject,
        })
      })
    expect(await Promise.all(replies.map(read))).toEqual(replies.map(() => bytes))
    isReading = false
    // One slice for new replies and one for waiting ones, each with the piece it ended with.
    expect(most).toBeLessThanOrEqual(2 * (SLICE_MILLISECONDS + 1))
  })

  it('stay held back by their reader while they wait for a turn', async () => {
    const target = await startFastServer(4_000_000)
    const reply = await target.open(request, never)
    let size = 0
    const ended = new Promise<void>((resolve, reject) => {
      reply.read({
        onData(piece) {
          work(6)
          size += piece.length
          reply.pause()
          return true
        },
        onEnd: resolve,
        onFailure: reject,
      })
    })
    await new Promise((resolve) => setTimeout(resolve, 100))
    const before = size
    expect(before).toBeLessThan(1_000_000)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(size).toBe(before)
    const timer = setInterval(() => reply.resume(), 1)
    await ended
    clearInterval(timer)
    expect(size).toBe(4_000_000)
  })

  it('give the body in pieces, to its end', async () => {
    const { target } = await start((_, response) => {
      response.write('a')
      setTimeout(() => response.end('b'), 20)
    })
    const pieces: string[] = []
    for await (const chunk of (await target.open(request, never)).chunks())
      pieces.push(chunk.toString())
    expect(pieces.join('')).toBe('ab')
  })

  it('fail at once when they are aborted, before and after the head', async () => {
    const { target } = await start(
      (incoming, response) => void (incoming.headers['x-late'] ? null : response.write('head')),
    )
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
    await expect((await target.open(request, never)).bytes(1000)).rejects.toMatchObject({
      code: 'UND_ERR_SOCKET',
    })
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

  /** Replies of unknown length: a first piece, then a second one and the end of the connection. */
  const startClosing = () =>
    start(({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n')
      setTimeout(() => socket.write('piece'), 20)
      setTimeout(() => socket.end('last'), 200)
    })

  // Requests of the second kind go through the parser of undici.
  it.each(['POST', 'PUT'] as const)(
    'may be aborted by their reader while it is called, with the other side closing: %s',
    async (method) => {
      const { target } = await startClosing()
      const reply = await target.open({ ...request, method }, never)
      const heard: string[] = []
      const failure = await new Promise<Error>((resolve) => {
        reply.read({
          onData(chunk) {
            heard.push(chunk.toString())
            if (heard.length === 2) reply.abort()
            return true
          },
          onEnd: () => void heard.push('end'),
          onFailure: resolve,
        })
      })
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(failure).toBeInstanceOf(OutgoingAbortedError)
      expect(heard).toEqual(['piece', 'last'])
    },
  )

  it.each(['POST', 'PUT'] as const)(
    'may be let go by the reader of another one while that is called: %s',
    async (method) => {
      const { target } = await startClosing()
      const open = () => target.open({ ...request, method }, never)
      const held = await open()
      const heard: string[] = []
      const heldBack = new Promise<void>((resolve) => {
        held.read({
          onData(chunk) {
            heard.push(chunk.toString())
            resolve()
            return false
          },
          onEnd: () => void heard.push('end'),
          onFailure: ({ message }) => void heard.push(message),
        })
      })
      await heldBack
      const other = await open()
      const failure = await new Promise<Error | null>((resolve) => {
        other.read({
          onData: () => (held.resume(), true),
          onEnd: () => resolve(null),
          onFailure: resolve,
        })
      })
      expect(failure).toBeNull()
      await expect.poll(() => heard).toEqual(['piece', 'last', 'end'])
    },
  )

  it('keep what came with the end of the connection for a reader that held it back', async () => {
    const { target, sockets } = await startClosing()
    const reply = await target.open(request, never)
    const heard: string[] = []
    reply.read({
      onData: (chunk) => heard.push(chunk.toString()) > 1,
      onEnd: () => void heard.push('end'),
      onFailure: ({ message }) => void heard.push(message),
    })
    await expect
      .poll(() => sockets.size > 0 && [...sockets].every((socket) => socket.writableFinished))
      .toBe(true)
    expect(heard).toEqual(['piece'])
    reply.resume()
    await expect.poll(() => heard).toEqual(['piece', 'last', 'end'])
  })

  it.each(['onData', 'onEnd', 'onFailure'] as const)(
    'fail alone when what reads them throws in %s',
    async (place) => {
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
      expect(failures[0]!.message).toBe(
        place === 'onFailure' ? 'other side closed' : 'thrown by the reader',
      )
      expect((await (await target.open(request, never)).chunks().next()).value?.toString()).toBe(
        'piece',
      )
    },
  )
})

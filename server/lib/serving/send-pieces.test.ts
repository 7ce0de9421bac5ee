import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { route, serveRoute, asJsonPieces } from '../http.ts'
import { createLogger } from '../logger.ts'
import { notFound } from '../errors.ts'
import { endpoints } from '#contract/endpoints.ts'

const PIECE = 'x'.repeat(64 * 1024)
let close: () => void

/** Serves pieces at every path. */
async function serve(pieces: () => Iterable<string>): Promise<string> {
  const served = route(endpoints.system.health, () => asJsonPieces(pieces()))
  const options = {
    authenticate: () => null,
    requirePermitted: () => undefined,
    log: createLogger('silent'),
  }
  const server = createServer(
    (request, response) => void serveRoute(served, { request, response, params: {} }, options),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  close = () => {
    server.close()
    server.closeAllConnections()
  }
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
afterEach(() => close())

/**
 * An endless series of pieces that records how many were taken and whether the generator was
 * closed.
 */
function createEndless() {
  const state = { taken: 0, ended: Promise.withResolvers<boolean>() }
  function* pieces(): Generator<string> {
    try {
      for (;;) {
        state.taken += 1
        yield PIECE
      }
    } finally {
      state.ended.resolve(true)
    }
  }
  return { state, pieces }
}

const open = async (url: string): Promise<IncomingMessage> =>
  ((await once(get(url), 'response')) as [IncomingMessage])[0]

it('a reply of few pieces goes out whole with its length, one of many in chunks, both unchanged', async () => {
  // With a stopped clock the slice is never over, however slow the machine is.
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const few = await fetch(await serve(() => ['["a",', '', '"b"]']))
  expect(few.headers.get('content-length')).toBe('9')
  expect(await few.json()).toEqual(['a', 'b'])
  close()
  const many = await fetch(
    await serve(() =>
      Array.from(
        { length: 50 },
        (_, index) => `${index === 0 ? '[' : ','}"é${PIECE}"${index === 49 ? ']' : ''}`,
      ),
    ),
  )
  expect(many.headers.get('transfer-encoding')).toBe('chunked')
  expect(await many.json()).toEqual(Array.from({ length: 50 }, () => `é${PIECE}`))
})

it('a reader that takes nothing holds the making of the reply back', async () => {
  const { state, pieces } = createEndless()
  const response = await open(await serve(pieces))
  response.pause()
  let before = -1
  while (before !== state.taken) {
    before = state.taken
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  // The buffers of both sockets hold a few megabytes.
  expect(state.taken).toBeLessThan(1000)
  response.destroy()
  expect(await state.ended.promise).toBe(true)
})

it('a reader that leaves ends the making of the reply', async () => {
  const { state, pieces } = createEndless()
  const response = await open(await serve(pieces))
  await once(response, 'data')
  response.destroy()
  expect(await state.ended.promise).toBe(true)
})

it('a failure before the first text is an answer of its own, one after it cuts the connection', async () => {
  function* failing(lead: string): Generator<string> {
    yield lead
    throw notFound('Gone.')
  }
  const early = await fetch(await serve(() => failing('')))
  expect([early.status, await early.json()]).toEqual([404, { detail: 'Gone.' }])
  close()
  const late = fetch(await serve(() => failing(PIECE.repeat(10)))).then((response) =>
    response.text(),
  )
  await expect(late).rejects.toThrow('terminated')
})

it('several long replies share the turns of the event loop with other work', async () => {
  const { state, pieces } = createEndless()
  const url = await serve(pieces)
  const responses = await Promise.all(Array.from({ length: 4 }, () => open(url)))
  for (const response of responses) response.resume()
  let turns = 0
  const before = state.taken
  while (state.taken < before + 400) {
    await new Promise((resolve) => setImmediate(resolve))
    turns += 1
  }
  // A slice has four pieces, and no turn carries more than one slice.
  expect(turns).toBeGreaterThanOrEqual(90)
  for (const response of responses) response.destroy()
})

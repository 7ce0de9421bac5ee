import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { createServer as createSocketServer, AddressInfo } from 'node:net'
import { ServiceError } from '../lib/errors.ts'
import type { Upstream, UpstreamOptions } from '../providers/upstream/upstream.ts'
import { createTestUpstream } from './create-test-upstream.ts'

const opened: { close(): unknown }[] = []
export const never: AbortSignal = new AbortController().signal

/** Closes all servers and upstreams opened since the last call. */
export async function closeOpened(): Promise<void> {
  for (const item of opened.splice(0).toReversed()) await item.close()
}

/** Listens on a free port, which it returns, until `closeOpened`. */
export function track(server: Server | ReturnType<typeof createSocketServer>): Promise<number> {
  opened.push({
    close() {
      if ('closeAllConnections' in server) server.closeAllConnections()
      server.close()
    },
  })
  server.listen(0, '127.0.0.1')
  return once(server, 'listening').then(() => (server.address() as AddressInfo).port)
}

export const serve = async (listener: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await track(createServer(listener))}`

export function connect(url: string, options: Partial<UpstreamOptions> = {}): Upstream {
  const upstream = createTestUpstream(url, options)
  opened.push(upstream)
  return upstream
}

/** Returns the error of a call, whether it occurs immediately or while the response is read. */
export async function failureOf(
  upstream: Upstream,
  signal: AbortSignal = never,
): Promise<ServiceError> {
  const error: unknown = await upstream.open({ path: '/x', body: '{}' }, signal).then(
    (reply) => reply.bytes(1e9),
    (thrown: unknown) => thrown,
  )
  if (error instanceof ServiceError) return error
  throw new Error('expected a ServiceError', { cause: error })
}

/** Creates a clock that is advanced only by its own sleeps, and records them. */
export function createTestClock() {
  let time = 0
  const sleeps: number[] = []
  return {
    sleeps,
    advance: (milliseconds: number) => void (time += milliseconds),
    clock: {
      now: () => time,
      sleep(milliseconds: number) {
        sleeps.push(milliseconds)
        time += milliseconds
        return Promise.resolve()
      },
    },
  }
}

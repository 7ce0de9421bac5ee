import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { afterEach, beforeEach } from 'vitest'
import { createLogger } from '../lib/logger.ts'
import { createOutgoingTarget } from '../lib/outgoing/outgoing.ts'
import type { Detour } from '../lib/outgoing/proxy-route.ts'
import { systemProxies } from '../lib/outgoing/system-proxies.ts'
import { Outgoing } from '../outgoing/index.ts'
import { createTestStorage } from './create-test-storage.ts'
import { startProxy, type TestProxy, type TestProxyOptions } from './start-proxy.ts'

/** Name of a host that does not exist: only a proxy leads to it. */
export const NAME = 'models.example.org'
/** Settings at the start of a test. */
const START = {
  SEALED_MODE: false,
  OFFLINE_MODE: false,
  ENABLE_SHARING: false,
  SHARING_ADDRESSES: [] as string[],
  OUTGOING_DAYS: 30,
  ENABLE_PROXY: true,
  PROXY_ADDRESS: '',
  PROXY_USER: '',
  PROXY_PASSWORD: '',
  PROXY_EXCEPTIONS: [] as string[],
  PROXY_LOOKS_UP_NAMES: false,
  TRUSTED_CERTIFICATES: '',
}
export const signal: AbortSignal = new AbortController().signal
/** Objects to close after the test, last opened first. */
export const opened: { close(): unknown }[] = []
/**
 * Current settings; values that a test sets here apply from the next `openOutgoing` or `change`.
 */
export const values = { ...START }

/** Resets the settings before each test and closes everything after it. */
export function tidyOutgoing(): void {
  beforeEach(() => void Object.assign(values, START))
  afterEach(async () => {
    systemProxies.ask = null
    for (const each of opened.splice(0).toReversed()) await each.close()
  })
}

export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push({ close: () => new Promise((resolve) => server.close(resolve)) })
  return (server.address() as AddressInfo).port
}

export const greet: RequestListener = (request, response) => {
  response.end(`hello ${request.headers.host} ${request.url}`)
}
export const startPlain = (listener = greet): Promise<number> => listen(createServer(listener))

export async function openOutgoing(environment: Record<string, string> = {}): Promise<Outgoing> {
  const storage = createTestStorage()
  let tell: (keys: readonly string[]) => Promise<void> = async () => undefined
  const outgoing = new Outgoing({
    storage,
    settings: {
      get: (key) => values[key] as never,
      onChange: (listener) => void (tell = listener),
    },
    log: createLogger('silent'),
    environment,
  })
  opened.push({
    async close() {
      await outgoing.close()
      storage.close()
    },
  })
  change = async (part) => {
    Object.assign(values, part)
    await tell(Object.keys(part))
  }
  return outgoing
}
/** Changes settings while the gateway runs. */
export let change: (part: Partial<typeof START>) => Promise<void>

export async function proxyTo(
  port: number,
  more: Partial<TestProxyOptions> = {},
): Promise<TestProxy> {
  const proxy = await startProxy({ leadTo: port, ...more })
  opened.push(proxy)
  return proxy
}

export async function get(
  address: string,
  { detour, milliseconds = 5000 }: { detour?: Detour; milliseconds?: number } = {},
): Promise<string> {
  const { origin, pathname } = new URL(address)
  const target = createOutgoingTarget(origin, {
    connectMilliseconds: milliseconds,
    purpose: { kind: 'provider', name: 'Far' },
    detour,
  })
  try {
    const reply = await target.open(
      {
        method: 'GET',
        path: pathname,
        headers: {},
        body: null,
        firstByteMilliseconds: 5000,
        idleMilliseconds: 5000,
      },
      signal,
    )
    return (await reply.bytes(10_000)).toString()
  } finally {
    await target.close()
  }
}

export const codeOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'none',
    (error: unknown) => {
      const { code, cause } = error as { code?: string; cause?: { code?: string } }
      return code ?? cause?.code
    },
  )

export const entries = async (outgoing: Outgoing) =>
  (await outgoing.list({}, { limit: 50, offset: 0 })).items

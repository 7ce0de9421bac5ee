import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { sendError } from '../lib/http.ts'
import { createLogger } from '../lib/logger.ts'
import { relay } from '../providers/compatible/relay.ts'
import { createTestUpstream } from './create-test-upstream.ts'
import { startFakeCompatible } from './fake-upstream/fake-compatible.ts'
import type { Script } from './fake-upstream/script.ts'

const log = createLogger('silent')

export const toRelayedBody = (content: string, stream: boolean): string =>
  JSON.stringify({ model: 'echo', stream, messages: [{ role: 'user', content }] })

/** Starts a server that relays every call to a scripted upstream. */
export async function startRelay(script?: Script) {
  const fake = await startFakeCompatible({ script })
  const outgoing = createTestUpstream(fake.url, {
    headers: { authorization: 'Bearer sk-canary-key' },
    secrets: ['sk-canary-key'],
  })
  const server = createServer((request, response) => {
    const left = new AbortController()
    response.once('close', () => {
      if (!response.writableFinished) left.abort()
    })
    void buffer(request).then((body) => {
      const stream = body.includes('"stream":true')
      return relay(outgoing, { body, stream, response, signal: left.signal }).catch(
        (error: unknown) => sendError(response, error, { log, dialect: 'chat-completions' }),
      )
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    fake,
    port: (server.address() as AddressInfo).port,
    async close(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await outgoing.close()
      await fake.close()
    },
  }
}

export type Relay = Awaited<ReturnType<typeof startRelay>>

/** Returns the data of every event; throws if one is neither JSON nor the end mark. */
export function eventsOf(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.startsWith('data:'))
  const events = lines.map((line) => line.slice('data: '.length))
  for (const event of events) if (event !== '[DONE]') JSON.parse(event)
  return events
}

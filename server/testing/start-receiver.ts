import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A delivery as received. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: Record<string, unknown>
}

/** An external server that receives events. */
export interface Receiver {
  readonly url: string
  readonly received: readonly Received[]
  /** Sets the response to further deliveries; 200 by default. */
  answer(how: (response: ServerResponse, received: Received) => void): void
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let how: Parameters<Receiver['answer']>[0] = (response) => response.end('taken')
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const text = Buffer.concat(parts).toString('utf8')
      const one: Received = {
        path: request.url ?? '',
        headers: request.headers,
        text,
        body: text === '' ? {} : JSON.parse(text),
      }
      received.push(one)
      how(response, one)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: (next) => void (how = next),
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

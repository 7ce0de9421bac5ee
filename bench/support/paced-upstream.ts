import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A model server that writes a text at an even pace, independent of the machine's timers. */
export interface PacedUpstream {
  readonly port: number
  close(): void
}

const TICK_MILLISECONDS = 5

const frame = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
const chunk = (content: string): string =>
  frame({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })

/** Starts the server; `pieces` are sent at `perSecond`. */
export async function startPacedUpstream(
  pieces: readonly string[],
  perSecond: number,
): Promise<PacedUpstream> {
  const server = createServer((request, response) => {
    request.resume()
    if (request.url?.endsWith('/models')) {
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'paced', object: 'model' }] }))
      return
    }
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    const begun = performance.now()
    let sent = 0
    const timer = setInterval(() => {
      const due = Math.min(
        pieces.length,
        Math.floor(((performance.now() - begun) / 1000) * perSecond),
      )
      if (due > sent) response.write(pieces.slice(sent, due).map(chunk).join(''))
      sent = due
      if (sent < pieces.length) return
      clearInterval(timer)
      response.end('data: [DONE]\n\n')
    }, TICK_MILLISECONDS)
    response.once('close', () => clearInterval(timer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

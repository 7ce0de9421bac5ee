// The baseline for the socket hub: a bare `ws` server that sends one prepared frame to all clients.
import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'
import { microseconds } from './clock.ts'

const server = createServer()
const sockets = new WebSocketServer({ server, path: '/ws', perMessageDeflate: false })
server.listen(0, '127.0.0.1', () =>
  process.send!({ port: (server.address() as { port: number }).port }),
)

interface EmitJob {
  readonly perSecond: number
  readonly milliseconds: number
  /** The frame, with `@@` as the place of the send time. */
  readonly template: string
}

process.on('message', ({ perSecond, milliseconds, template }: EmitJob) => {
  let sent = 0
  const count = Math.round((perSecond * milliseconds) / 1000)
  const timer = setInterval(() => {
    const frame = Buffer.from(template.replace('@@', `@${microseconds()}@`))
    for (const socket of sockets.clients) socket.send(frame, { binary: false })
    sent += 1
    if (sent < count) return
    clearInterval(timer)
    process.send!({ sent })
  }, 1000 / perSecond)
})
process.on('disconnect', () => process.exit(0))

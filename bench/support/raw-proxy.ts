// The bare Node proxy that gateways are compared with: parses nothing and relays the bytes.
import { Agent, createServer, request as send } from 'node:http'

const [port] = process.argv.slice(2).map(Number)
const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
const server = createServer({ keepAliveTimeout: 60_000, noDelay: true }, (incoming, outgoing) => {
  const { method, url, headers } = incoming
  const upstream = send({ agent, host: '127.0.0.1', port, method, path: url, headers }, (reply) => {
    outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
    outgoing.flushHeaders()
    reply.pipe(outgoing)
  })
  upstream.on('error', () => outgoing.destroy())
  outgoing.on('close', () => upstream.destroy())
  incoming.pipe(upstream)
})
server.listen(0, '127.0.0.1', () =>
  process.send!({ port: (server.address() as { port: number }).port }),
)
process.on('disconnect', () => process.exit(0))

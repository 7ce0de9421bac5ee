import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { GatewayResponse } from '../lib/serving/gateway-response.ts'
import { limitBodyTime } from '../lib/serving/limit-body-time.ts'
import { markShared } from '../lib/serving/shared-connection.ts'
import type { OpenSecureListener } from '../sharing/index.ts'
import { listen, tryListen } from './listen.ts'
import { refuseUnreadable } from './refuse-unreadable.ts'
import { SERVER_LIMITS } from './server-limits.ts'
import { tellPlain } from './tell-plain.ts'

/** Time for the reply that announces the end to be sent. */
const FAREWELL_MILLISECONDS = 250
/** Maximum number of connections, because handshakes cost more than requests. */
const MOST_CONNECTIONS = 500
const HANDSHAKE_MILLISECONDS = 10_000
const MIN_VERSION = 'TLSv1.2'

interface SharedApp {
  handleRequest(request: IncomingMessage, response: ServerResponse): void
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
}

/** Creates HTTPS listeners whose requests are handled like all others, marked as shared. */
export function createSecureListening(app: SharedApp): OpenSecureListener {
  return async ({ address, port, exact }, { certificate, key }) => {
    // Loaded with the first listener, because most gateways have none.
    const { createServer } = process.getBuiltinModule('node:https')
    const server = createServer({
      ...SERVER_LIMITS,
      ServerResponse: GatewayResponse as typeof ServerResponse,
      cert: certificate,
      key,
      minVersion: MIN_VERSION,
      handshakeTimeout: HANDSHAKE_MILLISECONDS,
    })
    server.maxConnections = MOST_CONNECTIONS
    tellPlain(server)
    refuseUnreadable(server)
    server.on('request', (request, response) => {
      markShared(request)
      limitBodyTime(request, response)
      app.handleRequest(request, response)
    })
    server.on('upgrade', (request, socket, head) => {
      markShared(request)
      app.handleUpgrade(request, socket, head)
    })
    // The server does not track upgraded sockets.
    const sockets = new Set<Socket>()
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
    if (exact) {
      if (!(await tryListen(server, address, port))) return null
    } else await listen(server, address, port)
    return {
      port: (server.address() as AddressInfo).port,
      renew: (pair) =>
        server.setSecureContext({ cert: pair.certificate, key: pair.key, minVersion: MIN_VERSION }),
      close() {
        server.close()
        setTimeout(() => {
          for (const socket of sockets) socket.destroy()
        }, FAREWELL_MILLISECONDS)
      },
    }
  }
}

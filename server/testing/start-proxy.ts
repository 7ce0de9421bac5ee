import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect, type AddressInfo, type Server, type Socket } from 'node:net'

/** Behaviour of a proxy for a tunnel request. */
export type ProxyConduct =
  | 'lead'
  | 'break-off'
  | 'talk-nonsense'
  | 'stay-silent'
  | 'refuse'
  | 'lack'

export interface TestProxy {
  readonly port: number
  /** Requested tunnels, as `host:port`. */
  readonly asked: string[]
  conduct: ProxyConduct
  close(): Promise<void>
}

export interface TestProxyOptions {
  /** Target of every tunnel, whatever host it is for; a port of this computer. */
  readonly leadTo: number
  readonly account?: { readonly user: string; readonly password: string }
  readonly certificate?: { readonly key: string; readonly cert: string }
}

function requireAccount(request: IncomingMessage, { account }: TestProxyOptions): boolean {
  if (!account) return true
  const wanted = Buffer.from(`${account.user}:${account.password}`).toString('base64')
  return request.headers['proxy-authorization'] === `Basic ${wanted}`
}

const REFUSALS: Partial<Record<ProxyConduct, string>> = {
  refuse: 'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n',
  lack: 'HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n',
  'talk-nonsense': 'SSH-2.0-something\r\n\r\n',
}

function lead(socket: Socket, port: number): void {
  const onward = connect(port, '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    socket.pipe(onward).pipe(socket)
  })
  onward.on('error', () => socket.destroy())
  onward.on('close', () => socket.destroy())
  socket.on('close', () => onward.destroy())
}

/** Starts an HTTP proxy that opens tunnels by CONNECT, or refuses to. */
export async function startProxy(options: TestProxyOptions): Promise<TestProxy> {
  const server: Server = options.certificate
    ? createSecureServer(options.certificate)
    : createServer()
  const sockets = new Set<Socket>()
  const proxy = {
    port: 0,
    asked: [] as string[],
    conduct: 'lead' as ProxyConduct,
    async close() {
      for (const socket of sockets) socket.destroy()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    },
  }
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
  })
  server.on('tlsClientError', () => undefined)
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => undefined)
    proxy.asked.push(request.url!)
    if (!requireAccount(request, options))
      return void socket.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="p"\r\n\r\n',
      )
    const refusal = REFUSALS[proxy.conduct]
    if (refusal !== undefined) return void socket.end(refusal)
    if (proxy.conduct === 'break-off') return void socket.destroy()
    if (proxy.conduct === 'lead') lead(socket, options.leadTo)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  proxy.port = (server.address() as AddressInfo).port
  return proxy
}

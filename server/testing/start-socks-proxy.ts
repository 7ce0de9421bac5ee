import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { TestProxy, TestProxyOptions } from './start-proxy.ts'

type Bytes = (count: number) => Promise<Buffer>

/** Reads a socket byte by byte; never resolves after its end. */
function reader(socket: Socket): Bytes {
  let held = Buffer.alloc(0)
  let wake = (): void => undefined
  socket.on('data', (piece) => {
    held = Buffer.concat([held, piece])
    wake()
  })
  return async (count) => {
    while (held.length < count) await new Promise<void>((resolve) => (wake = resolve))
    const bytes = held.subarray(0, count)
    held = held.subarray(count)
    return bytes
  }
}

/** Returns a reply with an IPv4 address that is never read. */
const answer = (code: number): Buffer => Buffer.of(5, code, 0, 1, 127, 0, 0, 1, 0, 0)

async function readAddress(take: Bytes): Promise<string> {
  const [, , , kind] = await take(4)
  const host =
    kind === 1
      ? (await take(4)).join('.')
      : kind === 4
        ? `[${(await take(16)).toString('hex').replace(/(.{4})(?=.)/g, '$1:')}]`
        : (await take((await take(1))[0]!)).toString('utf8')
  return `${host}:${(await take(2)).readUInt16BE()}`
}

async function requireAccount(take: Bytes, socket: Socket, { account }: TestProxyOptions) {
  const [, count] = await take(2)
  const ways = await take(count!)
  if (!account) {
    socket.write(Buffer.of(5, 0))
    return true
  }
  if (!ways.includes(2)) {
    socket.end(Buffer.of(5, 0xff))
    return false
  }
  socket.write(Buffer.of(5, 2))
  await take(1)
  const user = (await take((await take(1))[0]!)).toString('utf8')
  const password = (await take((await take(1))[0]!)).toString('utf8')
  const isRight = user === account.user && password === account.password
  socket.write(Buffer.of(1, isRight ? 0 : 1))
  return isRight
}

async function serve(socket: Socket, proxy: TestProxy, options: TestProxyOptions): Promise<void> {
  const take = reader(socket)
  if (proxy.conduct === 'talk-nonsense') return void socket.end('SSH-2.0-something\r\n\r\n')
  if (!(await requireAccount(take, socket, options))) return void socket.end()
  proxy.asked.push(await readAddress(take))
  const codes = { refuse: 2, lack: 4 } as const
  if (proxy.conduct === 'refuse' || proxy.conduct === 'lack')
    return void socket.end(answer(codes[proxy.conduct]))
  if (proxy.conduct === 'break-off') return void socket.end(answer(0).subarray(0, 3))
  if (proxy.conduct !== 'lead') return
  const onward = connect(options.leadTo, '127.0.0.1', () => {
    socket.removeAllListeners('data')
    socket.write(answer(0))
    socket.pipe(onward).pipe(socket)
  })
  onward.on('error', () => socket.destroy())
  onward.on('close', () => socket.destroy())
  socket.on('close', () => onward.destroy())
}

/** Starts a SOCKS 5 proxy that connects, or refuses. */
export async function startSocksProxy(options: TestProxyOptions): Promise<TestProxy> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    void serve(socket, proxy, options)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: TestProxy = {
    port: (server.address() as AddressInfo).port,
    asked: [],
    conduct: 'lead',
    async close() {
      for (const socket of sockets) socket.destroy()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy
}

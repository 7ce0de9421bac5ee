import { isIP, Socket } from 'node:net'
import { ServiceError } from '../errors.ts'
import { ProxyError, type ProxyFault } from './proxy-error.ts'
import { nameOf, type Proxy, type ProxyAccount } from './proxy-route.ts'
import { askBySocks } from './socks.ts'
import { trustOptions } from './trust.ts'
import { leadTo } from './way-out.ts'

/** Destination of a tunnel. */
export interface Destination {
  /** Host as requested: this is checked and listed. */
  readonly host: string
  readonly port: number
  /** Host sent to the proxy: an IP address that was checked, or the name. */
  readonly told: string
}

const LARGEST_HEAD = 16 * 1024
const END = '\r\n\r\n'

function judge(status: number): ProxyFault | null {
  if (status >= 200 && status < 300) return null
  if (status === 407) return 'PROXY_WANTS_SIGN_IN'
  return status >= 500 ? 'PROXY_FOUND_NOTHING' : 'PROXY_REFUSED'
}

/** Resolves with the status of a head; bytes after it are discarded. */
function readStatus(socket: Socket): Promise<number | null> {
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0)
    const leave = (): void => {
      socket.off('readable', take)
      socket.off('end', onEnd)
      socket.off('close', onEnd)
      socket.off('error', reject)
    }
    const end = (status: number | null): void => {
      leave()
      resolve(status)
    }
    const onEnd = (): void => {
      leave()
      reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' }))
    }
    function take(): void {
      for (let piece: Buffer | null; (piece = socket.read() as Buffer | null) !== null;) {
        head = Buffer.concat([head, piece])
        const place = head.indexOf(END)
        if (place === -1 && head.length <= LARGEST_HEAD) continue
        const status = /^HTTP\/1\.[01] (\d{3})(?: |\r\n)/.exec(head.toString('latin1'))?.[1]
        const isWhole = status !== undefined && place !== -1
        const hasMore = isWhole && Number(status) < 300 && place + END.length < head.length
        return end(isWhole && !hasMore ? Number(status) : null)
      }
    }
    socket.on('readable', take)
    socket.once('end', onEnd)
    socket.once('close', onEnd)
    socket.once('error', reject)
  })
}

function open(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    const onClose = (): void => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' }))
    socket.once(event, () => {
      socket.off('error', reject)
      socket.off('close', onClose)
      resolve()
    })
    socket.once('error', reject)
    socket.once('close', onClose)
  })
}

async function secure(socket: Socket, { host }: Proxy): Promise<Socket> {
  const tls = await import('node:tls')
  const secured = tls.connect({
    socket,
    host,
    servername: isIP(host) === 0 ? host : '',
    ALPNProtocols: ['http/1.1'],
    ...trustOptions(tls),
  })
  await open(secured, 'secureConnect')
  return secured
}

const toBasic = ({ user, password }: ProxyAccount): string =>
  `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`

/** Asks an HTTP proxy to connect; resolves with the reason it does not, or null. */
async function askByConnect(
  socket: Socket,
  { account }: Proxy,
  { told, port }: Destination,
): Promise<ProxyFault | null> {
  const authority = nameOf({ host: told, port })
  const shown = account === null ? '' : `Proxy-Authorization: ${toBasic(account)}\r\n`
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${shown}\r\n`)
  const status = await readStatus(socket)
  return status === null ? 'PROXY_SPEAKS_OTHERWISE' : judge(status)
}

/**
 * Opens a connection through a proxy. Fails with `ProxyError` if none can be established, and with
 * the refusal if none is allowed.
 */
export async function openTunnel(
  proxy: Proxy,
  destination: Destination,
  signal: AbortSignal,
): Promise<Socket> {
  const name = nameOf(proxy)
  const plain = new Socket()
  leadTo(plain, { host: destination.host, port: destination.port, via: name })
  const onAbort = (): void => void plain.destroy(new ProxyError('PROXY_SILENT', name))
  signal.addEventListener('abort', onAbort, { once: true })
  let stage: ProxyFault = 'PROXY_UNREACHABLE'
  // Later errors are handled by the user of the connection.
  plain.on('error', () => undefined)
  try {
    signal.throwIfAborted()
    plain.setNoDelay(true)
    plain.connect({ host: proxy.host, port: proxy.port })
    await open(plain, 'connect')
    stage = 'PROXY_NOT_TRUSTED'
    const socket = proxy.isSecure ? await secure(plain, proxy) : plain
    stage = 'PROXY_BROKE_OFF'
    const askFor = proxy.kind === 'socks' ? askBySocks : askByConnect
    const fault = await askFor(socket, proxy, destination)
    if (fault !== null) throw new ProxyError(fault, name)
    return socket
  } catch (error) {
    const known = error instanceof ServiceError || error instanceof ProxyError
    const fault = known
      ? error
      : new ProxyError(signal.aborted ? 'PROXY_SILENT' : stage, name, error)
    plain.destroy(fault)
    throw fault
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

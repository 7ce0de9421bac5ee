// Client side of SOCKS 5 (RFC 1928, with the authentication of RFC 1929).
import { isIP, isIPv6, type Socket } from 'node:net'
import type { ProxyFault } from './proxy-error.ts'
import type { Proxy, ProxyAccount } from './proxy-route.ts'

const VERSION = 5
const SIGN_IN_VERSION = 1
const CONNECT = 1
const DONE = 0
/** Authentication methods. */
const NOBODY = 0
const BY_PASSWORD = 2
const NO_WAY = 0xff
/** Address types. */
const IP4 = 1
const NAME = 3
const IP6 = 4
const LONGEST = 255

/**
 * Reply codes of a proxy for an unreachable server; all others mean that the proxy itself refuses.
 */
const FOUND_NOTHING: ReadonlySet<number> = new Set([1, 3, 4, 5, 6])

/** Reads exactly `count` bytes; later bytes are left, as they belong to the connection. */
function take(socket: Socket, count: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      socket.off('readable', look)
      socket.off('end', onEnd)
      socket.off('close', onEnd)
      socket.off('error', onError)
    }
    const onError = (error: Error): void => {
      leave()
      reject(error)
    }
    const onEnd = (): void => onError(Object.assign(new Error('closed'), { code: 'ECONNRESET' }))
    function look(): void {
      const bytes = socket.read(count) as Buffer | null
      if (bytes === null) return
      leave()
      // At its end, a stream returns the remaining bytes, even if they are too few.
      if (bytes.length < count) onEnd()
      else resolve(bytes)
    }
    socket.on('readable', look)
    socket.once('end', onEnd)
    socket.once('close', onEnd)
    socket.once('error', onError)
    look()
  })
}

/** Returns a text with its length in one byte in front; null if it is too long for that. */
function withLength(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'utf8')
  return bytes.length > LONGEST ? null : Buffer.concat([Buffer.of(bytes.length), bytes])
}

async function signIn(
  socket: Socket,
  { user, password }: ProxyAccount,
): Promise<ProxyFault | null> {
  const parts = [withLength(user), withLength(password)]
  if (parts.includes(null)) return 'PROXY_WANTS_SIGN_IN'
  socket.write(Buffer.concat([Buffer.of(SIGN_IN_VERSION), ...(parts as Buffer[])]))
  const [version, answer] = await take(socket, 2)
  if (version !== SIGN_IN_VERSION) return 'PROXY_SPEAKS_OTHERWISE'
  return answer === DONE ? null : 'PROXY_WANTS_SIGN_IN'
}

async function greet(socket: Socket, { account }: Proxy): Promise<ProxyFault | null> {
  const ways = account === null ? [NOBODY] : [NOBODY, BY_PASSWORD]
  socket.write(Buffer.of(VERSION, ways.length, ...ways))
  const [version, way] = await take(socket, 2)
  if (version !== VERSION) return 'PROXY_SPEAKS_OTHERWISE'
  if (way === NO_WAY) return 'PROXY_WANTS_SIGN_IN'
  if (way === NOBODY) return null
  return way === BY_PASSWORD && account ? signIn(socket, account) : 'PROXY_SPEAKS_OTHERWISE'
}

/**
 * Returns the bytes of an IPv6 address, which may have `::` in the middle and an IPv4 address at
 * its end.
 */
function toBytes6(address: string): Buffer {
  const mapped = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const pair = (high: string, low: string): string =>
    ((Number(high) << 8) | Number(low)).toString(16)
  const plain = mapped
    ? `${mapped[1]}${pair(mapped[2]!, mapped[3]!)}:${pair(mapped[4]!, mapped[5]!)}`
    : address
  const [head = '', tail] = plain.split('::')
  const toWords = (part: string): string[] => (part === '' ? [] : part.split(':'))
  const [first, last] = [toWords(head), toWords(tail ?? '')]
  const gap = tail === undefined ? 0 : 8 - first.length - last.length
  const words = [...first, ...Array<string>(gap).fill('0'), ...last]
  return Buffer.from(words.map((word) => word.padStart(4, '0')).join(''), 'hex')
}

function toAddress(host: string): Buffer | null {
  if (isIPv6(host)) return Buffer.concat([Buffer.of(IP6), toBytes6(host)])
  if (isIP(host) === 4) return Buffer.of(IP4, ...host.split('.').map(Number))
  const name = withLength(host)
  return name && Buffer.concat([Buffer.of(NAME), name])
}

/** Reads the address in the proxy's reply to its end and discards it, since it is of no use. */
async function skipAddress(socket: Socket, kind: number | undefined): Promise<boolean> {
  const length =
    kind === IP4 ? 4 : kind === IP6 ? 16 : kind === NAME ? (await take(socket, 1))[0]! : null
  if (length === null) return false
  await take(socket, length + 2)
  return true
}

/** Asks a SOCKS 5 proxy to connect; resolves with the reason it does not, or null. */
export async function askBySocks(
  socket: Socket,
  proxy: Proxy,
  { told, port }: { readonly told: string; readonly port: number },
): Promise<ProxyFault | null> {
  const address = toAddress(told)
  if (address === null) return 'PROXY_FOUND_NOTHING'
  const fault = await greet(socket, proxy)
  if (fault !== null) return fault
  socket.write(
    Buffer.concat([Buffer.of(VERSION, CONNECT, 0), address, Buffer.of(port >> 8, port & 0xff)]),
  )
  const [version, answer, , kind] = await take(socket, 4)
  if (version !== VERSION) return 'PROXY_SPEAKS_OTHERWISE'
  if (answer !== DONE) return FOUND_NOTHING.has(answer!) ? 'PROXY_FOUND_NOTHING' : 'PROXY_REFUSED'
  return (await skipAddress(socket, kind)) ? null : 'PROXY_SPEAKS_OTHERWISE'
}

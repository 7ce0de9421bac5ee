// Opens many sockets and counts the frames that arrive, parsing as little of them as possible.
import { connect, type Socket } from 'node:net'
import { microseconds } from './clock.ts'

export interface OpenJob {
  readonly kind: 'open'
  readonly port: number
  readonly sockets: number
  /** One token for each socket, or one for all. */
  readonly tokens: readonly string[]
}
/** Reports what has arrived since the last time, once nothing has arrived for a moment. */
export interface CollectJob {
  readonly kind: 'collect'
}
export interface CollectAnswer {
  readonly deliveries: number
  readonly p50: number
  readonly p99: number
}

const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])
const PING_OPCODE = 9
const AT = '@'.charCodeAt(0)
const QUIET_MILLISECONDS = 300

let delays: number[] = []
let lastArrival = 0

function readFrame(payload: Buffer): void {
  const start = payload.indexOf(AT)
  if (start === -1) return
  const moment = Number(payload.toString('latin1', start + 1, payload.indexOf(AT, start + 1)))
  lastArrival = microseconds()
  delays.push((lastArrival - moment) / 1000)
}

/** Consumes complete frames from the start; returns the remaining bytes. */
function readFrames(socket: Socket, bytes: Buffer): Buffer {
  let rest = bytes
  while (rest.length >= 2) {
    const short = rest[1]! & 0x7f
    const head = short < 126 ? 2 : short === 126 ? 4 : 10
    if (rest.length < head) break
    const length =
      short < 126 ? short : short === 126 ? rest.readUInt16BE(2) : Number(rest.readBigUInt64BE(2))
    if (rest.length < head + length) break
    if ((rest[0]! & 0x0f) === PING_OPCODE) socket.write(PONG)
    else readFrame(rest.subarray(head, head + length))
    rest = rest.subarray(head + length)
  }
  return rest
}

function openSocket(port: number, token: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' })
    let held: Buffer = Buffer.alloc(0)
    let isOpen = false
    socket.on('error', reject)
    socket.write(
      `GET /ws HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    )
    socket.on('data', (bytes) => {
      held = held.length === 0 ? bytes : Buffer.concat([held, bytes])
      if (!isOpen) {
        const end = held.indexOf('\r\n\r\n')
        if (end === -1) return
        isOpen = true
        held = held.subarray(end + 4)
        resolve()
      }
      held = readFrames(socket, held)
    })
  })
}

async function open({ port, sockets, tokens }: OpenJob): Promise<void> {
  for (let opened = 0; opened < sockets; opened += 50) {
    await Promise.all(
      Array.from({ length: Math.min(50, sockets - opened) }, (_, place) =>
        openSocket(port, tokens[(opened + place) % tokens.length]!),
      ),
    )
  }
}

async function collect(): Promise<CollectAnswer> {
  do await new Promise((resolve) => setTimeout(resolve, QUIET_MILLISECONDS))
  while (microseconds() - lastArrival < QUIET_MILLISECONDS * 1000)
  const sorted = Float64Array.from(delays).toSorted()
  delays = []
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { deliveries: sorted.length, p50: at(0.5), p99: at(0.99) }
}

process.on('message', (job: OpenJob | CollectJob) => {
  void (job.kind === 'open' ? open(job) : collect()).then((answer) => process.send!(answer ?? {}))
})
process.on('disconnect', () => process.exit(0))
process.send!({ port: 0 })

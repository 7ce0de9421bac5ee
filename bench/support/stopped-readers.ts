// Clients that stop reading at a stage of their answer and keep their connections. A separate
// process, so that it takes no processor time from the gateway.
import { connect, type Socket } from 'node:net'
import type { Target } from './http-client.ts'

export const STAGES = [
  'before the head',
  'after the head',
  'in the middle',
  'before the end',
] as const

/** Opens readers; each one takes the next target, and each round of targets the next stage. */
export interface StopJob {
  readonly kind: 'stop'
  readonly targets: readonly Target[]
  readonly readers: number
  readonly milliseconds: number
}
export interface StopAnswer {
  /** Number of readers that reached their stage in time, by stage. */
  readonly stopped: Record<string, number>
  /** Bytes of a whole answer, by target. */
  readonly sizes: readonly number[]
  /** Status lines other than 200, and connections closed by the gateway. */
  readonly problems: Record<string, number>
}
/** Returns the number of connections that are still open, and closes them. */
export interface LeaveJob {
  readonly kind: 'leave'
}
export interface LeaveAnswer {
  readonly open: number
}

/** Number of bytes before the end at which a reader of the last stage stops. */
const REST_BYTES = 64 * 1024
const HEAD_END = '\r\n\r\n'

let sockets: Socket[] = []

/** Reads an answer to its end, at which the gateway closes the connection. */
function readWhole({ port, request }: Target): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' })
    let bytes = 0
    socket.on('data', (piece) => {
      if (bytes === 0 && !piece.toString('latin1', 0, 13).startsWith('HTTP/1.1 200'))
        reject(new Error(piece.toString('latin1', 0, 600)))
      bytes += piece.length
    })
    socket.once('error', reject).once('end', () => resolve(bytes))
    socket.write(request.replace('\r\n', '\r\nConnection: close\r\n'))
  })
}

interface Reader {
  readonly target: Target
  readonly stage: (typeof STAGES)[number]
  readonly size: number
}

/** Resolves when the reader has stopped; rejects if it received something else than an answer. */
function stopReading({ target, stage, size }: Reader): Promise<void> {
  const socket = connect({ port: target.port, host: '127.0.0.1' })
  sockets.push(socket)
  socket.write(target.request)
  if (stage === 'before the head') {
    // Without a data listener nothing is read.
    socket.on('error', () => socket.destroy())
    return Promise.resolve()
  }
  const enough = stage === 'in the middle' ? size / 2 : size - REST_BYTES
  return new Promise((resolve, reject) => {
    let bytes = 0
    let head = ''
    socket.on('error', reject).on('close', () => reject(new Error('ended')))
    socket.on('data', (piece) => {
      bytes += piece.length
      if (!head.includes(HEAD_END)) head += piece.toString('latin1')
      if (!head.includes(HEAD_END)) return
      if (!head.startsWith('HTTP/1.1 200')) reject(new Error(head.split('\r\n', 1)[0]))
      if (stage !== 'after the head' && bytes < enough) return
      socket.pause()
      resolve()
    })
  })
}

async function stop({ targets, readers, milliseconds }: StopJob): Promise<StopAnswer> {
  const sizes: number[] = []
  for (const target of targets) sizes.push(await readWhole(target))
  const stopped: Record<string, number> = Object.fromEntries(STAGES.map((stage) => [stage, 0]))
  const problems: Record<string, number> = {}
  const reading = Array.from({ length: readers }, async (_, index) => {
    const place = index % targets.length
    const stage = STAGES[Math.floor(index / targets.length) % STAGES.length]!
    await stopReading({ target: targets[place]!, stage, size: sizes[place]! }).then(
      () => (stopped[stage]! += 1),
      (error: Error) => (problems[error.message] = (problems[error.message] ?? 0) + 1),
    )
  })
  await Promise.race([
    Promise.all(reading),
    new Promise((resolve) => setTimeout(resolve, milliseconds)),
  ])
  return { stopped, sizes, problems }
}

function leave(): LeaveAnswer {
  const open = sockets.filter((socket) => !socket.destroyed).length
  for (const socket of sockets) socket.destroy()
  sockets = []
  return { open }
}

if (process.send) {
  process.on('message', (job: StopJob | LeaveJob) => {
    void Promise.resolve(job.kind === 'stop' ? stop(job) : leave()).then(
      (answer) => process.send!(answer),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  })
  process.on('disconnect', () => process.exit(0))
  process.send({ port: 0 })
}

// Sends load and reports the measurements. A separate process, so that it takes no processor time
// from the gateway.
import { microseconds } from './clock.ts'
import { openClient, type Target } from './http-client.ts'

/**
 * One client, one request after the other: milliseconds to the first byte of the body, and to the
 * end.
 */
export interface SequenceJob {
  readonly kind: 'sequence'
  readonly target: Target
  readonly count: number
}
export interface SequenceAnswer {
  readonly first: number[]
  readonly whole: number[]
}

/** Many clients for a while: replies per second, and the 99th percentile of their milliseconds. */
export interface FloodJob {
  readonly kind: 'flood'
  readonly target: Target
  readonly clients: number
  readonly milliseconds: number
}
export interface FloodAnswer {
  readonly perSecond: number
  readonly p99: number
}

/** Many slow streams at once whose frames contain the time they were sent. */
export interface PacedJob {
  readonly kind: 'paced'
  readonly target: Target
  readonly streams: number
  readonly rampMilliseconds: number
  readonly framesPerStream: number
}
export interface PacedAnswer {
  /** Milliseconds from the model server to this process. */
  readonly p50: number
  readonly p99: number
  readonly lost: number
  /** Number of gaps of more than a second inside a stream. */
  readonly stalls: number
}

type Job = SequenceJob | FloodJob | PacedJob

async function runSequence({ target, count }: SequenceJob): Promise<SequenceAnswer> {
  const client = openClient(target.port)
  const request = Buffer.from(target.request)
  const answer: SequenceAnswer = { first: [], whole: [] }
  for (let sent = 0; sent < count; sent += 1) {
    const begun = microseconds()
    let first = 0
    await client.send(request, () => {
      if (first === 0) first = microseconds()
    })
    answer.whole.push((microseconds() - begun) / 1000)
    answer.first.push((first - begun) / 1000)
  }
  client.close()
  return answer
}

async function runFlood({ target, clients, milliseconds }: FloodJob): Promise<FloodAnswer> {
  const request = Buffer.from(target.request)
  const begun = microseconds()
  const end = begun + milliseconds * 1000
  const times: number[] = []
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = openClient(target.port)
      for (let sent = microseconds(); sent < end;) {
        await client.send(request)
        const now = microseconds()
        times.push(now - sent)
        sent = now
      }
      client.close()
    }),
  )
  const perSecond = (times.length * 1_000_000) / (microseconds() - begun)
  const sorted = Float64Array.from(times).toSorted()
  return { perSecond, p99: sorted[Math.floor(sorted.length * 0.99)]! / 1000 }
}

async function runPaced({
  target,
  streams,
  rampMilliseconds,
  framesPerStream,
}: PacedJob): Promise<PacedAnswer> {
  const request = Buffer.from(target.request)
  const delays: number[] = []
  let stalls = 0
  let lost = 0
  await Promise.all(
    Array.from({ length: streams }, async (_, index) => {
      await new Promise((resolve) => setTimeout(resolve, (rampMilliseconds * index) / streams))
      const client = openClient(target.port)
      let frames = 0
      let previous = 0
      const onBody = (bytes: Buffer) => {
        const now = microseconds()
        for (const [, moment] of bytes.toString('latin1').matchAll(/@(\d+)@/g)) {
          delays.push((now - Number(moment)) / 1000)
          frames += 1
        }
        if (previous > 0 && now - previous > 1_000_000) stalls += 1
        previous = now
      }
      await client.send(request, onBody).catch(() => undefined)
      lost += framesPerStream - frames
      client.close()
    }),
  )
  const sorted = Float64Array.from(delays).toSorted()
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), lost, stalls }
}

const run = (job: Job) =>
  job.kind === 'sequence' ? runSequence(job) : job.kind === 'flood' ? runFlood(job) : runPaced(job)

process.on('message', (job: Job) => {
  void run(job).then(
    (answer) => process.send!(answer),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => process.exit(0))
process.send!({ port: 0 })

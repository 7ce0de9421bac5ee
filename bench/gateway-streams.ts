import { setTimeout as sleep } from 'node:timers/promises'
import { judgeAtMost, median, type BenchResult, type Reached } from './bench-result.ts'
import type { PacedAnswer } from './support/driver.ts'
import { startRelayField, type RelayField, type Runner } from './support/relay-field.ts'
import { cpuSeconds, residentKilobytes } from './support/spawned.ts'

const ROUNDS = 5
const STREAMS = 1000
const FRAMES = 60
const RAMP_MILLISECONDS = 1000
const SETTLE_MILLISECONDS = 3000
const RUNNERS = ['direct', 'raw', 'gateway'] as const
type Measured = (typeof RUNNERS)[number]

export const goals = ['P5', 'P8']

interface Round extends PacedAnswer {
  /** Share of one core; NaN if the system does not report it. */
  readonly cpu: number
  readonly peakKilobytes: number
  /** Processor time per frame of a stream. */
  readonly microsecondsPerFrame: number
}

export async function runRound(
  field: RelayField,
  runner: Measured,
  streams = STREAMS,
): Promise<Round> {
  const pid = field.pids[runner as Runner]
  const usedBefore = pid === undefined ? null : cpuSeconds(pid)
  const begun = performance.now()
  let peak = 0
  const sampler = setInterval(() => {
    if (pid !== undefined) peak = Math.max(peak, residentKilobytes(pid) ?? 0)
  }, 100)
  const target = field.target(runner, {
    model: `bench-pace-20-${FRAMES}`,
    stream: true,
    messages: [{ role: 'user', content: 'Hello' }],
  })
  const job = {
    kind: 'paced',
    target,
    streams,
    rampMilliseconds: RAMP_MILLISECONDS,
    framesPerStream: FRAMES,
  }
  const answer = await field.driver.ask<PacedAnswer>(job)
  clearInterval(sampler)
  const usedAfter = pid === undefined ? null : cpuSeconds(pid)
  const seconds = (performance.now() - begun) / 1000
  const used = usedBefore === null || usedAfter === null ? Number.NaN : usedAfter - usedBefore
  return {
    ...answer,
    cpu: used / seconds,
    peakKilobytes: peak,
    microsecondsPerFrame: (used * 1_000_000) / (streams * FRAMES),
  }
}

type Rounds = Record<Measured, Round[]>

function judgeStreams(rounds: Rounds): BenchResult {
  const middle = (runner: Measured, field: 'p50' | 'p99' | 'cpu') =>
    median(rounds[runner].map((round) => round[field]))
  const sum = (field: 'lost' | 'stalls') =>
    rounds.gateway.reduce((total, round) => total + round[field], 0)
  const added = (runner: Measured) => middle(runner, 'p99') - middle('direct', 'p99')
  const zero = (value: number): Reached => (value === 0 ? 'moonshot' : 'missed')
  const cpu = middle('gateway', 'cpu')
  const relay = Math.max(0, added('gateway')) / Math.max(0.1, added('raw'))
  const cpuRow = {
    name: `share of one core, ${STREAMS} streams of 20 tokens/s`,
    value: cpu,
    unit: 'core',
    hold: '<= 0.9',
    moonshot: '<= 0.7',
  }
  return {
    goal: 'P5',
    rows: [
      { name: 'frames lost', value: sum('lost'), unit: '', hold: 0, reached: zero(sum('lost')) },
      {
        name: 'stalls over 1 s',
        value: sum('stalls'),
        unit: '',
        hold: 0,
        reached: zero(sum('stalls')),
      },
      { ...cpuRow, reached: judgeAtMost(cpu, { hold: 0.9, moonshot: 0.7 }) },
      {
        name: 'added p99 of a frame vs a bare Node proxy',
        value: relay,
        unit: 'x',
        moonshot: '<= 1.5',
        reached: relay <= 1.5 ? 'moonshot' : 'hold',
      },
    ],
    notes: RUNNERS.map(
      (runner) =>
        `${runner}: p50 ${middle(runner, 'p50').toFixed(2)} ms, p99 ${middle(runner, 'p99').toFixed(1)} ms, ${Number.isNaN(middle(runner, 'cpu')) ? '' : `${middle(runner, 'cpu').toFixed(2)} core`}`,
    ),
  }
}

/**
 * Returns the seconds until memory is back within a fifth of the idle value; null if a minute was
 * not enough.
 */
async function secondsToIdle(pid: number, idleKilobytes: number): Promise<number | null> {
  for (let seconds = 0; seconds <= 60; seconds += 1) {
    if ((residentKilobytes(pid) ?? 0) <= idleKilobytes * 1.2) return seconds
    await sleep(1000)
  }
  return null
}

export async function run(): Promise<BenchResult[]> {
  const field = await startRelayField()
  const rounds: Rounds = { direct: [], raw: [], gateway: [] }
  try {
    const { pid } = field.gateway
    // The idle value is that of a gateway that has been used and has nothing to do now.
    await runRound(field, 'gateway', 50)
    await sleep(SETTLE_MILLISECONDS)
    const idle = residentKilobytes(pid)
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const runner of RUNNERS) rounds[runner].push(await runRound(field, runner))
    }
    if (idle === null) return [judgeStreams(rounds)]
    const peaks = rounds.gateway.map(({ peakKilobytes }) => peakKilobytes)
    const perStream = (Math.max(...peaks) - idle) / STREAMS
    const back = await secondsToIdle(pid, idle)
    return [
      judgeStreams(rounds),
      {
        goal: 'P8',
        rows: [
          {
            name: 'memory per stream above idle',
            value: perStream,
            unit: 'kB',
            hold: '<= 250',
            moonshot: '<= 150',
            reached: judgeAtMost(perStream, { hold: 250, moonshot: 150 }),
          },
          {
            name: 'seconds until back to idle + 20 %',
            value: back ?? 60,
            unit: 's',
            hold: '<= 60',
            reached: back === null ? 'missed' : 'moonshot',
          },
          {
            name: 'peak of the last round vs the second',
            value: peaks.at(-1)! / peaks[1]!,
            unit: 'x',
            hold: '<= 1.1',
            reached: peaks.at(-1)! / peaks[1]! <= 1.1 ? 'moonshot' : 'missed',
          },
        ],
        notes: [
          `idle ${(idle / 1024).toFixed(0)} MB; peaks ${peaks.map((peak) => (peak / 1024).toFixed(0)).join(', ')} MB; a minute later ${((residentKilobytes(pid) ?? 0) / 1024).toFixed(0)} MB`,
        ],
      },
    ]
  } finally {
    await field.stop()
  }
}

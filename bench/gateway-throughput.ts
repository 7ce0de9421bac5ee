import {
  judgeAtLeast,
  judgeAtMost,
  median,
  type BenchResult,
  type BenchRow,
} from './bench-result.ts'
import type { FloodAnswer } from './support/driver.ts'
import { NO_NGINX, startRelayField, type RelayField, type Runner } from './support/relay-field.ts'

const ROUNDS = 5
const MILLISECONDS = 1200
/** LiteLLM handles about ten requests a second: with more clients most would only wait. */
const FEW = 16

export const goals = ['P3', 'P4']

/**
 * Callers authenticate by an API key throughout; the gateway is measured with the request log,
 * which is on by default, and without it.
 */
type Variant = Runner | 'gateway without log'
const LOGS = { gateway: true, 'gateway without log': false } as const

interface Load {
  readonly body: {
    readonly model: string
    readonly stream?: boolean
    readonly messages: readonly object[]
  }
  readonly clients: number
}

/** Returns the median of each variant over interleaved rounds; the first round is a warm-up. */
async function measure(
  field: RelayField,
  { body, clients }: Load,
): Promise<ReadonlyMap<Variant, FloodAnswer>> {
  const runners = (body.stream ? field.streamers : field.runners).filter(
    (runner) => clients <= FEW || runner !== 'litellm',
  )
  const found = new Map<Variant, FloodAnswer[]>(
    [...runners, 'gateway without log' as const].map((variant) => [variant, []]),
  )
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [variant, answers] of found) {
      const isGateway = variant === 'gateway' || variant === 'gateway without log'
      if (isGateway)
        await field.gateway.call('POST', '/api/v1/settings', {
          values: { ENABLE_REQUEST_LOG: LOGS[variant] },
        })
      const target = field.target(isGateway ? 'gateway' : variant, body)
      const answer = await field.driver.ask<FloodAnswer>({
        kind: 'flood',
        target,
        clients,
        milliseconds: MILLISECONDS,
      })
      if (round >= 0) answers.push(answer)
    }
  }
  const medianOf = (answers: readonly FloodAnswer[]): FloodAnswer => ({
    perSecond: median(answers.map(({ perSecond }) => perSecond)),
    p99: median(answers.map(({ p99 }) => p99)),
  })
  return new Map([...found].map(([variant, answers]) => [variant, medianOf(answers)]))
}

/** One goal: the gateway compared with another runner, if there is one. */
interface Comparison {
  readonly runner: Variant
  readonly hold?: number
  readonly moonshot?: number
}

function compareRates(
  name: string,
  found: ReadonlyMap<Variant, FloodAnswer>,
  comparisons: readonly Comparison[],
): BenchRow[] {
  const rate = (variant: Variant) => found.get(variant)!.perSecond
  return comparisons
    .filter(({ runner }) => found.has(runner))
    .map(({ runner, hold, moonshot }) => {
      const value = rate('gateway') / rate(runner)
      const row = { name: `${name}, vs ${runner}`, value, unit: 'x' }
      if (hold === undefined || moonshot === undefined) return { ...row, reached: 'shown' as const }
      return {
        ...row,
        hold: `>= ${hold}`,
        moonshot: `>= ${moonshot}`,
        reached: judgeAtLeast(value, { hold, moonshot }),
      }
    })
}

function compareWaiting(clients: number, found: ReadonlyMap<Variant, FloodAnswer>): BenchRow {
  const value = found.get('gateway')!.p99 / found.get('raw')!.p99
  const goal = { hold: 1.5, moonshot: 1.2 }
  const name = `p99 of an answer, ${clients} clients, vs raw`
  return {
    name,
    value,
    unit: 'x',
    hold: '<= 1.5',
    moonshot: '<= 1.2',
    reached: judgeAtMost(value, goal),
  }
}

const describe = (found: ReadonlyMap<Variant, FloodAnswer>): string =>
  [...found]
    .map(
      ([variant, { perSecond, p99 }]) =>
        `${variant} ${perSecond.toFixed(0)}/s (p99 ${p99.toFixed(1)} ms)`,
    )
    .join(', ')

export async function run(): Promise<BenchResult[]> {
  const field = await startRelayField({ hasPeers: true })
  const messages = [{ role: 'user', content: 'Hello' }]
  const whole: Load['body'] = { model: 'bench-text', messages }
  const stream: Load['body'] = { model: 'bench-burst-64', stream: true, messages }
  try {
    const missing = field.runners.includes('nginx') ? [] : [NO_NGINX]
    const answers = await measure(field, { body: whole, clients: 64 })
    const crowd = await measure(field, { body: whole, clients: 256 })
    const streams = await measure(field, { body: stream, clients: 16 })
    const shown: Comparison[] = [
      { runner: 'raw' },
      { runner: 'portkey' },
      { runner: 'gateway without log' },
    ]
    return [
      {
        goal: 'P3',
        rows: [
          ...compareRates('answers per second and core, 64 clients', answers, [
            { runner: 'nginx', hold: 0.25, moonshot: 0.4 },
            { runner: 'vllm-router', hold: 0.55, moonshot: 0.75 },
            ...shown,
          ]),
          compareWaiting(256, crowd),
        ],
        notes: [...missing, `64 clients: ${describe(answers)}`, `256 clients: ${describe(crowd)}`],
      },
      {
        goal: 'P4',
        rows: compareRates('streams of 64 tokens per second, 16 clients', streams, [
          { runner: 'nginx', hold: 0.35, moonshot: 0.65 },
          { runner: 'vllm-router', hold: 0.8, moonshot: 1 },
          { runner: 'litellm' },
          ...shown,
        ]),
        notes: [...missing, describe(streams)],
      },
    ]
  } finally {
    await field.stop()
  }
}

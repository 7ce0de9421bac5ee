import { judgeAtMost, median, type BenchResult, type BenchRow } from './bench-result.ts'
import type { SequenceAnswer } from './support/driver.ts'
import { NO_NGINX, startRelayField, type RelayField, type Runner } from './support/relay-field.ts'

const ROUNDS = 11
const REQUESTS = 120
/** Factor by which a runner that takes a tenth of a second per request gets fewer requests. */
const SLOWER = 10

export const goals = ['P1', 'P2', 'P7']

const message = (content: string) => [{ role: 'user', content }]
const bodies = {
  P1: { model: 'bench-text', messages: message('Hello') },
  P2: { model: 'bench-burst-64', stream: true, messages: message('Hello') },
  P7: { model: 'bench-burst-64', stream: true, messages: message('lorem ipsum '.repeat(17_000)) },
} as const
type Goal = keyof typeof bodies

/** Returns the median milliseconds of each runner over interleaved rounds. */
async function measure(field: RelayField, goal: Goal): Promise<ReadonlyMap<Runner, number>> {
  const medians = new Map<Runner, number[]>(
    (goal === 'P1' ? field.runners : field.streamers).map((runner) => [runner, []]),
  )
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [runner, measured] of medians) {
      const count = Math.round(
        REQUESTS / (goal === 'P7' ? 3 : 1) / (runner === 'litellm' ? SLOWER : 1),
      )
      const answer = await field.driver.ask<SequenceAnswer>({
        kind: 'sequence',
        target: field.target(runner, bodies[goal]),
        count,
      })
      // The first round, -1, is a warm-up.
      if (round >= 0) measured.push(median(goal === 'P1' ? answer.whole : answer.first))
    }
  }
  return new Map([...medians].map(([runner, measured]) => [runner, median(measured)]))
}

/** Overhead of the gateway compared with that of another runner, if there is one. */
interface Comparison {
  readonly name: string
  readonly baseline: Runner
  readonly limits?: { readonly hold: number; readonly moonshot: number }
}

const COMPARISONS: Readonly<Record<Goal, readonly Comparison[]>> = {
  P1: [
    {
      name: 'added p50 of an answer, one client',
      baseline: 'nginx',
      limits: { hold: 4, moonshot: 2.5 },
    },
    {
      name: 'added p50 of an answer, one client',
      baseline: 'vllm-router',
      limits: { hold: 1.4, moonshot: 1 },
    },
    { name: 'added p50 of an answer, one client', baseline: 'litellm' },
    {
      name: 'added p50 of an answer, one client',
      baseline: 'portkey',
      limits: { hold: 0.6, moonshot: 0.4 },
    },
  ],
  P2: [
    {
      name: 'added time to the first token',
      baseline: 'nginx',
      limits: { hold: 4, moonshot: 2.5 },
    },
    {
      name: 'added time to the first token',
      baseline: 'vllm-router',
      limits: { hold: 1.4, moonshot: 1 },
    },
    { name: 'added time to the first token', baseline: 'litellm' },
  ],
  P7: [
    {
      name: 'added time to the first token with a 200 kB prompt',
      baseline: 'raw',
      limits: { hold: 5, moonshot: 3 },
    },
    { name: 'added time to the first token with a 200 kB prompt', baseline: 'vllm-router' },
  ],
}

function toRow(
  { name, baseline, limits }: Comparison,
  added: (runner: Runner) => number,
): BenchRow {
  const value = added('gateway') / added(baseline)
  const row = { name: `${name}, vs ${baseline}`, value, unit: 'x' }
  if (!limits) return { ...row, reached: 'shown' }
  return {
    ...row,
    hold: `<= ${limits.hold}`,
    moonshot: `<= ${limits.moonshot}`,
    reached: judgeAtMost(value, limits),
  }
}

export async function run(): Promise<BenchResult[]> {
  const field = await startRelayField({ hasPeers: true })
  try {
    const results: BenchResult[] = []
    for (const goal of ['P1', 'P2', 'P7'] as const) {
      const times = await measure(field, goal)
      const added = (runner: Runner) => times.get(runner)! - times.get('direct')!
      const rows = COMPARISONS[goal]
        .filter(({ baseline }) => times.has(baseline))
        .map((comparison) => toRow(comparison, added))
      const others = [...times.keys()]
        .filter((runner) => runner !== 'direct')
        .map((runner) => `${runner} ${added(runner).toFixed(3)} ms`)
      const note = `added p50: ${others.join(', ')}; direct ${times.get('direct')!.toFixed(3)} ms`
      results.push({ goal, rows, notes: times.has('nginx') ? [note] : [NO_NGINX, note] })
    }
    return results
  } finally {
    await field.stop()
  }
}

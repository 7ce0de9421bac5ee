import { judgeAtMost, median, type BenchResult } from './bench-result.ts'
import type { SequenceAnswer } from './support/driver.ts'
import { NO_NGINX, startRelayField, type RelayField, type Runner } from './support/relay-field.ts'

const ROUNDS = 11
const REQUESTS = 120

export const goals = ['P1', 'P2', 'P7']

const message = (content: string) => [{ role: 'user', content }]
const bodies = {
  P1: { model: 'bench-text', messages: message('Hello') },
  P2: { model: 'bench-burst-64', stream: true, messages: message('Hello') },
  P7: { model: 'bench-burst-64', stream: true, messages: message('lorem ipsum '.repeat(17_000)) },
} as const
type Goal = keyof typeof bodies

/** Median milliseconds of each runner over interleaved rounds. */
async function measure(field: RelayField, goal: Goal): Promise<Record<Runner, number>> {
  const medians: Record<Runner, number[]> = { direct: [], nginx: [], raw: [], gateway: [] }
  const count = goal === 'P7' ? REQUESTS / 3 : REQUESTS
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const runner of field.runners) {
      const answer = await field.driver.ask<SequenceAnswer>({ kind: 'sequence', target: field.target(runner, bodies[goal]), count })
      // The round before the first warms up.
      if (round >= 0) medians[runner].push(median(goal === 'P1' ? answer.whole : answer.first))
    }
  }
  return {
    direct: median(medians.direct),
    nginx: field.runners.includes('nginx') ? median(medians.nginx) : Number.NaN,
    raw: median(medians.raw),
    gateway: median(medians.gateway),
  }
}

function compare(times: Record<Runner, number>, baseline: 'nginx' | 'raw') {
  const added = (runner: Runner) => times[runner] - times.direct
  const note = (['nginx', 'raw', 'gateway'] as const).map((runner) => `${runner} ${added(runner).toFixed(3)} ms`).join(', ')
  return { ratio: added('gateway') / added(baseline), note: `added p50: ${note}; direct ${times.direct.toFixed(3)} ms` }
}

export async function run(): Promise<BenchResult[]> {
  const field = await startRelayField()
  try {
    const results: BenchResult[] = []
    for (const [goal, name, baseline, limits] of [
      ['P1', 'added p50 of an answer, one client, vs nginx', 'nginx', { hold: 4, moonshot: 2.5 }],
      ['P2', 'added time to the first token, vs nginx', 'nginx', { hold: 4, moonshot: 2.5 }],
      ['P7', 'added time to the first token with a 200 kB prompt, vs a bare Node proxy', 'raw', { hold: 5, moonshot: 3 }],
    ] as const) {
      if (baseline === 'nginx' && !field.runners.includes('nginx')) {
        results.push({ goal, rows: [], notes: [NO_NGINX] })
        continue
      }
      const { ratio, note } = compare(await measure(field, goal), baseline)
      const row = {
        name,
        value: ratio,
        unit: 'x',
        hold: `<= ${limits.hold}`,
        moonshot: `<= ${limits.moonshot}`,
        reached: judgeAtMost(ratio, limits),
      }
      results.push({ goal, rows: [row], notes: [note] })
    }
    return results
  } finally {
    await field.stop()
  }
}

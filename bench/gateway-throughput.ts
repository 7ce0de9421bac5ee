import { judgeAtLeast, median, type BenchResult } from './bench-result.ts'
import type { FloodAnswer } from './support/driver.ts'
import { NO_NGINX, startRelayField, type RelayField, type Runner } from './support/relay-field.ts'

const ROUNDS = 5
const MILLISECONDS = 1200

export const goals = ['P3', 'P4']

async function measure(field: RelayField, body: unknown, clients: number): Promise<Record<Runner, number>> {
  const rates: Record<Runner, number[]> = { direct: [], nginx: [], raw: [], gateway: [] }
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const runner of field.runners) {
      const job = { kind: 'flood', target: field.target(runner, body), clients, milliseconds: MILLISECONDS }
      const { perSecond } = await field.driver.ask<FloodAnswer>(job)
      if (round >= 0) rates[runner].push(perSecond)
    }
  }
  const middle = (runner: Runner) => (rates[runner].length === 0 ? Number.NaN : median(rates[runner]))
  return { direct: middle('direct'), nginx: middle('nginx'), raw: middle('raw'), gateway: middle('gateway') }
}

export async function run(): Promise<BenchResult[]> {
  const field = await startRelayField()
  const messages = [{ role: 'user', content: 'Hello' }]
  try {
    if (!field.runners.includes('nginx')) return goals.map((goal) => ({ goal, rows: [], notes: [NO_NGINX] }))
    const results: BenchResult[] = []
    for (const [goal, name, clients, body, limits] of [
      ['P3', 'answers per second and core, 64 clients, vs nginx', 64, { model: 'bench-text', messages }, { hold: 0.25, moonshot: 0.4 }],
      [
        'P4',
        'streams of 64 tokens per second, 16 clients, vs nginx',
        16,
        { model: 'bench-burst-64', stream: true, messages },
        { hold: 0.35, moonshot: 0.65 },
      ],
    ] as const) {
      const rates = await measure(field, body, clients)
      const ratio = rates.gateway / rates.nginx
      const row = {
        name,
        value: ratio,
        unit: 'x',
        hold: `>= ${limits.hold}`,
        moonshot: `>= ${limits.moonshot}`,
        reached: judgeAtLeast(ratio, limits),
      }
      const note = field.runners.map((runner) => `${runner} ${rates[runner].toFixed(0)}/s`).join(', ')
      results.push({ goal, rows: [row], notes: [note] })
    }
    return results
  } finally {
    await field.stop()
  }
}

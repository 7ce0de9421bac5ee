import { judgeAtLeast, median, type BenchResult } from './bench-result.ts'
import type { FloodAnswer } from './support/driver.ts'
import { NO_NGINX, startRelayField, type RelayField, type Runner } from './support/relay-field.ts'

const ROUNDS = 5
const MILLISECONDS = 1200

export const goals = ['P3', 'P4']

/** Callers prove themselves by an API key throughout; the log of requests, which is on unless switched off, is compared with none. */
type Variant = Runner | 'gateway without log'
const LOGS = { gateway: true, 'gateway without log': false } as const

const variantsOf = ({ runners }: RelayField): readonly Variant[] => [...runners, 'gateway without log']

async function measure(field: RelayField, body: unknown, clients: number): Promise<ReadonlyMap<Variant, number>> {
  const rates = new Map<Variant, number[]>(variantsOf(field).map((variant) => [variant, []]))
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [variant, measured] of rates) {
      const isGateway = variant === 'gateway' || variant === 'gateway without log'
      if (isGateway) await field.gateway.call('POST', '/api/v1/settings', { values: { ENABLE_REQUEST_LOG: LOGS[variant] } })
      const target = field.target(isGateway ? 'gateway' : variant, body)
      const { perSecond } = await field.driver.ask<FloodAnswer>({ kind: 'flood', target, clients, milliseconds: MILLISECONDS })
      if (round >= 0) measured.push(perSecond)
    }
  }
  return new Map([...rates].map(([variant, measured]) => [variant, median(measured)]))
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
      const rate = (variant: Variant) => rates.get(variant)!
      const ratio = rate('gateway') / rate('nginx')
      const row = {
        name,
        value: ratio,
        unit: 'x',
        hold: `>= ${limits.hold}`,
        moonshot: `>= ${limits.moonshot}`,
        reached: judgeAtLeast(ratio, limits),
      }
      const logged = rate('gateway') / rate('gateway without log')
      const logRow = {
        name: `${name.split(',')[0]}: with the log of requests vs without`,
        value: logged,
        unit: 'x',
        reached: 'shown' as const,
      }
      const note = [...rates].map(([variant, perSecond]) => `${variant} ${perSecond.toFixed(0)}/s`).join(', ')
      results.push({ goal, rows: [row, logRow], notes: [note] })
    }
    return results
  } finally {
    await field.stop()
  }
}

import { judgeAtLeast, median, type BenchResult } from './bench-result.ts'
import type { FloodAnswer } from './support/driver.ts'
import { startRelayField, type RelayField } from './support/relay-field.ts'

const ROUNDS = 5
const MILLISECONDS = 1200
const CLIENTS = 16
const PATH = '/llmhost/api/generate'
const RUNNERS = ['raw', 'gateway'] as const
const BODY = { model: 'bench-native-64', prompt: 'Hello' }
const LINES = 65
const LIMITS = { hold: 0.8, moonshot: 1 }

// The goal has no row of its own in the list; it is measured like P4.
export const goals = ['P4']

/** Connects the model server as a local runtime too. */
async function connectRuntime({ gateway }: RelayField, url: string): Promise<void> {
  await gateway.call('POST', '/api/v1/connections', { kind: 'runtime', name: 'Runtime', url })
  await gateway.call('GET', '/api/models?refresh=true')
  const headers = { Authorization: `Bearer ${gateway.key}`, 'Content-Type': 'application/json' }
  const reply = await fetch(`http://127.0.0.1:${gateway.port}${PATH}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(BODY),
  })
  const lines = (await reply.text()).trimEnd().split('\n').length
  if (!reply.ok || lines !== LINES)
    throw new Error(`The gateway answered ${reply.status} with ${lines} lines.`)
}

export async function run(): Promise<BenchResult> {
  const field = await startRelayField()
  const rates: Record<(typeof RUNNERS)[number], number[]> = { raw: [], gateway: [] }
  try {
    await connectRuntime(field, `http://127.0.0.1:${field.target('direct', BODY).port}`)
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const runner of RUNNERS) {
        const job = {
          kind: 'flood',
          target: field.target(runner, BODY, PATH),
          clients: CLIENTS,
          milliseconds: MILLISECONDS,
        }
        const { perSecond } = await field.driver.ask<FloodAnswer>(job)
        if (round >= 0) rates[runner].push(perSecond)
      }
    }
  } finally {
    await field.stop()
  }
  const value = median(rates.gateway) / median(rates.raw)
  const row = {
    name: 'native streams of 64 lines per second, 16 clients, vs a bare Node proxy',
    value,
    unit: 'x',
    hold: `>= ${LIMITS.hold}`,
    moonshot: `>= ${LIMITS.moonshot}`,
    reached: judgeAtLeast(value, LIMITS),
  }
  return {
    goal: 'P4',
    rows: [row],
    notes: [`raw ${median(rates.raw).toFixed(0)}/s, gateway ${median(rates.gateway).toFixed(0)}/s`],
  }
}

import { judgeAtLeast, median, type BenchResult } from '../bench-result.ts'
import type { FloodAnswer } from './driver.ts'
import { startRelayField } from './relay-field.ts'

const ROUNDS = 5
const MILLISECONDS = 1500
const CLIENTS = 16
const MODEL = 'bench-burst-64'

export interface Dialect {
  readonly goal: string
  readonly name: string
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

/**
 * Compares the streams per second of a dialect with chat completions of the same gateway,
 * alternating.
 */
export async function compareDialect({ goal, name, path, body }: Dialect): Promise<BenchResult> {
  const field = await startRelayField()
  const chat = field.target('gateway', {
    model: MODEL,
    stream: true,
    messages: [{ role: 'user', content: 'Hello' }],
  })
  const dialect = field.target('gateway', { model: MODEL, stream: true, ...body }, path)
  const rates: { chat: number[]; dialect: number[] } = { chat: [], dialect: [] }
  try {
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const [runner, target] of [['chat', chat] as const, ['dialect', dialect] as const]) {
        const job = { kind: 'flood', target, clients: CLIENTS, milliseconds: MILLISECONDS }
        const { perSecond } = await field.driver.ask<FloodAnswer>(job)
        if (round >= 0) rates[runner].push(perSecond)
      }
    }
  } finally {
    await field.stop()
  }
  const [chatRate, dialectRate] = [median(rates.chat), median(rates.dialect)]
  const value = dialectRate / chatRate
  const row = {
    name: `${name}: streams of 64 tokens per second, vs chat completions`,
    value,
    unit: 'x',
    hold: '>= 0.6',
    moonshot: '>= 0.8',
    reached: judgeAtLeast(value, { hold: 0.6, moonshot: 0.8 }),
  }
  return {
    goal,
    rows: [row],
    notes: [`chat completions ${chatRate.toFixed(0)}/s, ${name} ${dialectRate.toFixed(0)}/s`],
  }
}

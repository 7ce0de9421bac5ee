import { setTimeout as sleep } from 'node:timers/promises'
import { judgeAtMost, median, type BenchResult } from './bench-result.ts'
import type { FloodAnswer } from './support/driver.ts'
import { startRelayField, type RelayField, type Runner } from './support/relay-field.ts'
import { residentKilobytes } from './support/spawned.ts'

export const goals = ['P28']

/** Time in ms until the checks after a start have run. */
const SETTLE_MILLISECONDS = 25_000
const BURST_MILLISECONDS = 4000
const REST_MILLISECONDS = 60_000
const SAMPLES = 5
const messages = [{ role: 'user', content: 'Hello' }]
const BURST = [
  { clients: 256, body: { model: 'bench-text', messages } },
  { clients: 64, body: { model: 'bench-burst-64', stream: true, messages } },
]

/** Returns the resident megabytes of each runner, the median over a few seconds. */
async function readMemory({ pids }: RelayField): Promise<ReadonlyMap<Runner, number>> {
  const samples = new Map<Runner, number[]>()
  for (let count = 0; count < SAMPLES; count += 1) {
    for (const [runner, pid] of Object.entries(pids) as [Runner, number][]) {
      samples.set(runner, [
        ...(samples.get(runner) ?? []),
        (residentKilobytes(pid) ?? Number.NaN) / 1024,
      ])
    }
    await sleep(1000)
  }
  return new Map([...samples].map(([runner, sizes]) => [runner, median(sizes)]))
}

async function burst(field: RelayField): Promise<void> {
  const { driver, runners, streamers } = field
  for (const runner of runners.filter((one) => one !== 'direct')) {
    for (const { clients, body } of BURST) {
      if (!('stream' in body) || streamers.includes(runner))
        await driver.ask<FloodAnswer>({
          kind: 'flood',
          target: field.target(runner, body),
          clients,
          milliseconds: BURST_MILLISECONDS,
        })
    }
  }
}

const toRow = (name: string, value: number, hold: number, moonshot: number) => ({
  name,
  value,
  unit: 'MB',
  hold: `<= ${hold}`,
  moonshot: `<= ${moonshot}`,
  reached: judgeAtMost(value, { hold, moonshot }),
})

const describe = (moment: string, sizes: ReadonlyMap<Runner, number>): string =>
  `${moment}: ${[...sizes].map(([runner, size]) => `${runner} ${size.toFixed(0)} MB`).join(', ')}`

/**
 * P28: measures resident memory at rest, and a minute after bursts of 256 clients with whole
 * answers and of 64 with streams.
 */
export async function run(): Promise<BenchResult> {
  const field = await startRelayField({ hasPeers: true })
  try {
    await sleep(SETTLE_MILLISECONDS)
    const idle = await readMemory(field)
    await burst(field)
    const loaded = await readMemory(field)
    await sleep(REST_MILLISECONDS)
    const rested = await readMemory(field)
    return {
      goal: 'P28',
      rows: [
        toRow('resident memory at rest', idle.get('gateway')!, 100, 90),
        toRow('resident memory a minute after a burst', rested.get('gateway')!, 130, 110),
      ],
      notes: [
        describe('at rest', idle),
        describe('after the burst', loaded),
        describe('a minute later', rested),
      ],
    }
  } finally {
    await field.stop()
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Gauge, Registry } from 'prom-client'
import type { MetricsLibrary } from './load-metrics.ts'

/** Values looked up on request. */
export interface Readings {
  /** Number of answers being written. */
  runningStreams(): number
  openReplies(): number
  /** Number of uploaded files still to be read, and of those this gateway is reading now. */
  unread(): Promise<{ left: number; running: number }>
  isDatabaseThere(): Promise<boolean>
  /** Null if the database is a file. */
  connections(): { used: number; idle: number; waiting: number } | null
}

/** Scrapers give up after some seconds; values that take longer are left out this time. */
const PATIENCE_MILLISECONDS = 1500

async function soon<Value>(work: Promise<Value>): Promise<Value | null> {
  try {
    return await Promise.race([work, sleep(PATIENCE_MILLISECONDS, null, { ref: false })])
  } catch {
    return null
  }
}

/** A currently unknown measurement has no value, rather than an old one. */
function write(gauge: Gauge, value: number | null | undefined): void {
  if (value === null || value === undefined) gauge.remove()
  else gauge.set(value)
}

/** Adds gauges that query the gateway whenever they are read. */
export function addReadings(library: MetricsLibrary, registry: Registry, readings: Readings): void {
  const registers = [registry]
  // First, otherwise the queries below would be counted as waiting.
  if (readings.connections() !== null) addConnections(library, registry, readings)
  const add = (name: string, help: string, read: () => Promise<number | null> | number): void => {
    const gauge: Gauge = new library.Gauge({
      name: `chat_gateway_${name}`,
      help,
      registers,
      collect: async () => write(gauge, await read()),
    })
  }
  add('running_streams', 'Answers that are being written.', () => readings.runningStreams())
  add('open_replies', 'Requests whose reply is not complete.', () => readings.openReplies())
  add('database_up', 'Whether the database answers.', async () =>
    Number((await soon(readings.isDatabaseThere())) ?? false),
  )
  let unread: ReturnType<typeof soon<{ left: number; running: number }>> | null = null
  const readOnce = () => (unread ??= soon(readings.unread()).finally(() => (unread = null)))
  add(
    'reading_queue',
    'Uploaded files that are still to be read, of all gateways on the database.',
    async () => (await readOnce())?.left ?? null,
  )
  add(
    'reading_running',
    'Uploaded files this gateway is reading now.',
    async () => (await readOnce())?.running ?? null,
  )
}

function addConnections(library: MetricsLibrary, registry: Registry, readings: Readings): void {
  const pool = new library.Gauge({
    name: 'chat_gateway_database_connections',
    help: 'Connections to the database, and work that waits for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(readings.connections() ?? {}))
        pool.set({ state }, count)
    },
  })
}

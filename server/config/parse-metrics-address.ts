import { isIP } from 'node:net'
import type { Environment } from './env.ts'
import { StartError } from './start-error.ts'

/** Address of the metrics listener. */
export interface MetricsAddress {
  readonly host: string
  readonly port: number
}

const PARTS = /^(?:\[([\da-f:.]+)\]|([^:[\]]+)):(\d{1,5})$/i

/** Returns the address of the metrics listener; null without one. */
export function parseMetricsAddress(environment: Environment): MetricsAddress | null {
  const text = environment['METRICS_ADDRESS']?.trim() ?? ''
  if (text === '') return null
  const [, six, other, digits] = PARTS.exec(text) ?? []
  const host = six ?? other ?? ''
  const port = Number(digits)
  const isHost = six === undefined ? isIP(host) === 4 || host === 'localhost' : isIP(host) === 6
  if (isHost && port >= 1 && port <= 65_535) return { host, port }
  throw new StartError(
    `METRICS_ADDRESS=${JSON.stringify(text)} is not possible. Allowed: an IP address or localhost, a colon and a port, such as 127.0.0.1:9464 or [::1]:9464; empty for none.`,
  )
}

import { createHmac } from 'node:crypto'
import { ServiceError } from '../lib/errors.ts'
import type { GuardedFetch } from '../lib/outgoing/guarded-fetch.ts'
import { nowSeconds } from '../lib/ids.ts'
import { toBody, type Announcement } from './to-body.ts'

/** Destination of a delivery. */
export interface Target {
  readonly address: string
  /** Empty for deliveries without signature. */
  readonly secret: string
  readonly fetch: GuardedFetch
}

/** Result of one attempt. `isFinal` means that another attempt would have the same result. */
export interface DeliveryAttempt {
  readonly status: number | null
  readonly problem: string | null
  readonly isFinal: boolean
}

interface Delivery {
  readonly id: string
  readonly announcement: Announcement
  /** The `User-Agent` of the gateway. */
  readonly gateway: string
}

const PREFIX = 'whsec_'

/** Decodes a secret in the Standard Webhooks format; any other text is used unchanged. */
const toKey = (secret: string): Buffer =>
  secret.startsWith(PREFIX)
    ? Buffer.from(secret.slice(PREFIX.length), 'base64')
    : Buffer.from(secret, 'utf8')

function toHeaders(id: string, body: string, secret: string): Record<string, string> {
  const timestamp = String(nowSeconds())
  const headers = {
    accept: '*/*',
    'content-type': 'application/json',
    'user-agent': 'ChatGateway',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
  }
  if (secret === '') return headers
  const signature = createHmac('sha256', toKey(secret))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')
  return { ...headers, 'webhook-signature': `v1,${signature}` }
}

function explainStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400)
    return 'The address leads on to another one, which is not followed. Enter the address it leads to.'
  return `The receiver answered with status ${status}. Check the address.`
}

/** Describes failures without revealing what is behind a URL. */
function explainFailure(error: unknown): { problem: string; isFinal: boolean } {
  if (!(error instanceof ServiceError)) throw error
  if (error.status === 504)
    return {
      problem: 'The receiver did not answer in time. Check whether it is running.',
      isFinal: false,
    }
  if (error.status >= 500)
    return {
      problem: 'The receiver could not be reached. Check the address and whether it is running.',
      isFinal: false,
    }
  return { problem: error.message, isFinal: true }
}

/**
 * Makes one delivery attempt. Rejects only when the signal aborts, and for errors of the gateway
 * itself.
 */
export async function send(
  { address, secret, fetch }: Target,
  { id, announcement, gateway }: Delivery,
  signal: AbortSignal,
): Promise<DeliveryAttempt> {
  try {
    const body = JSON.stringify(toBody(fetch.check(address), announcement, gateway))
    const request = {
      method: 'POST',
      headers: toHeaders(id, body, secret),
      body,
      readsHeadOnly: true,
    } as const
    const { status } = await fetch.fetch(address, request, signal)
    return { status, problem: explainStatus(status), isFinal: false }
  } catch (error) {
    if (signal.aborted) throw error
    return { status: null, ...explainFailure(error) }
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { createClient } from '@redis/client'
import { StartError } from '../config/start-error.ts'
import type { Logger } from '../lib/logger.ts'
import { because } from '../lib/purpose.ts'

export type Redis = ReturnType<typeof createClient>

/** Where and how long a Redis is looked for. */
export interface RedisPlace {
  readonly url: string
  readonly log: Logger
  /** How long an address that does not answer is tried. */
  readonly patience?: number
}

const PATIENCE_MILLISECONDS = 20_000
const PAUSE_MILLISECONDS = 500
const CONNECT_MILLISECONDS = 5000
const LONGEST_PAUSE_MILLISECONDS = 1000
/** A connection on which nothing comes for so long, pings included, is made anew. */
const SILENCE_MILLISECONDS = 6000
const PING_MILLISECONDS = 1000
/** Commands that are not answered; more are refused, as they would only fill the memory. */
const MOST_WAITING = 20_000

/** The library is loaded by those who use it only; the desktop app does not carry it. */
async function loadLibrary() {
  try {
    return await import('@redis/client')
  } catch (cause) {
    throw new StartError(
      'The desktop app does not carry what Redis needs. Leave REDIS_URL empty, or start the gateway without a window.',
      { cause },
    )
  }
}

/** What a person can do about it. The address stays out, as it may hold a password. */
function explain(error: unknown): string {
  const text = error instanceof Error ? error.message : ''
  if (/WRONGPASS|NOAUTH|AUTH|invalid password/i.test(text))
    return 'The Redis that REDIS_URL names refuses the account or its password. Correct them in REDIS_URL.'
  if (/NOPERM/.test(text))
    return 'The account in REDIS_URL may not do what the gateway needs: PUBLISH, SUBSCRIBE, EVAL and PING.'
  return 'The store of REDIS_URL cannot be reached. Start it, correct the address, or leave REDIS_URL out.'
}

const isPassing = (error: unknown): boolean =>
  !(error instanceof Error && /WRONGPASS|NOAUTH|AUTH|NOPERM|invalid password/i.test(error.message))

async function connect(client: Redis): Promise<void> {
  // What is tried again while it is up must not be tried again for ever at the start.
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('timeout')), CONNECT_MILLISECONDS)
  try {
    const connecting = because({ kind: 'shared_store' }, () => client.connect())
    connecting.catch(() => undefined)
    const failed = Promise.withResolvers<never>()
    client.once('error', failed.reject)
    await Promise.race([connecting, failed.promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * A connection that is made anew by itself for as long as it is not closed. Throws a `StartError`
 * where the first one cannot be had.
 */
export async function connectRedis({
  url,
  log,
  patience = PATIENCE_MILLISECONDS,
}: RedisPlace): Promise<Redis> {
  const { createClient: create } = await loadLibrary()
  const deadline = performance.now() + patience
  for (;;) {
    const client = create({
      url,
      socket: {
        connectTimeout: CONNECT_MILLISECONDS,
        socketTimeout: SILENCE_MILLISECONDS,
        reconnectStrategy: (tries: number) => Math.min(2 ** tries * 50, LONGEST_PAUSE_MILLISECONDS),
      },
      pingInterval: PING_MILLISECONDS,
      commandsQueueMaxLength: MOST_WAITING,
      disableOfflineQueue: true,
    }) as Redis
    client.on('error', () => undefined)
    try {
      await connect(client)
      client.on('error', (error: Error) =>
        log.debug({ error: error.message }, 'the store of REDIS_URL does not answer'),
      )
      return client
    } catch (cause) {
      if (client.isOpen) client.destroy()
      if (!isPassing(cause) || performance.now() > deadline)
        throw new StartError(explain(cause), { cause })
      await sleep(PAUSE_MILLISECONDS)
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { createClient } from '@redis/client'
import { StartError } from '../config/start-error.ts'
import type { Logger } from '../lib/logger.ts'
import { because } from '../lib/outgoing/purpose.ts'

export type Redis = ReturnType<typeof createClient>

/** URL of a Redis server, and the time limit for reaching it. */
export interface RedisPlace {
  readonly url: string
  readonly log: Logger
  /** Time limit for a server that does not respond. */
  readonly patience?: number
}

const PATIENCE_MILLISECONDS = 20_000
const PAUSE_MILLISECONDS = 500
const CONNECT_MILLISECONDS = 5000
const LONGEST_PAUSE_MILLISECONDS = 1000
/** Time without any data, including pings, after which a connection is re-established. */
const SILENCE_MILLISECONDS = 6000
const PING_MILLISECONDS = 1000
/**
 * Maximum number of unanswered commands; more are rejected, because they would only fill the
 * memory.
 */
const MOST_WAITING = 20_000

/** Loads the Redis library only if it is used; the desktop app does not bundle it. */
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

/** Returns a message with a remedy. The URL is left out, because it may contain a password. */
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
  // A connection that is retried while it is up must not be retried forever at the start.
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('timeout')), CONNECT_MILLISECONDS)
  try {
    const connecting = because({ kind: 'shared_store', name: 'Redis' }, () => client.connect())
    connecting.catch(() => undefined)
    const failed = Promise.withResolvers<never>()
    client.once('error', failed.reject)
    await Promise.race([connecting, failed.promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Opens a connection that reconnects automatically until it is closed. Throws a `StartError` if the
 * first connection fails.
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
        log.debug({ error: error.message }, 'Redis does not respond'),
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

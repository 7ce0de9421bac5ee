import type { IncomingMessage } from 'node:http'
import type { ApiKeyLimits } from '#contract/auths.ts'
import { createDeferredWrites } from '../lib/deferred-writes.ts'
import { tooManyRequests } from '../lib/errors.ts'
import { nowSeconds } from '../lib/ids.ts'
import type { Logger } from '../lib/logger.ts'
import type { ApiKeyStore, KeyUse, StoredKey } from './api-key-store.ts'

/** Who uses a key, as far as it is known. */
export interface KeyOrigin {
  readonly request: IncomingMessage
  readonly address: string
}

/** Counts what API keys are used for and holds them to their daily caps. */
export interface KeyUses {
  /** Notes a call; 429 with the time until midnight (UTC) when the key has used up a cap. */
  begin(key: StoredKey, from: KeyOrigin | null): void
  /** Adds the tokens of an answer. */
  addTokens(keyId: string, tokens: number): void
  today(keyId: string): { requests: number; tokens: number; resets_at: number }
  /**
   * When, by which program and from where the key was used last, as far as that is not written yet.
   */
  last(keyId: string): KeyUse | undefined
  forget(keyId: string): void
}

const DAY_SECONDS = 86_400
const WRITE_DELAY_MS = 2000
const MOST_KEPT = 5000
const LONGEST_PROGRAM = 100

const dayOf = (seconds: number): number => Math.floor(seconds / DAY_SECONDS)

/** The first product of a `User-Agent` header, such as `OpenAI/Python`. */
export function programOf({ headers }: IncomingMessage): string {
  const [product = ''] = (headers['user-agent'] ?? '').trim().split(/[\s(]/, 1)
  return product.replaceAll(/\P{ASCII}|\p{Cc}/gu, '').slice(0, LONGEST_PROGRAM)
}

export function createKeyUses({ store, log }: { store: ApiKeyStore; log: Logger }): KeyUses {
  const uses = new Map<string, KeyUse>()
  const writes = createDeferredWrites<KeyUse>({
    delayMs: WRITE_DELAY_MS,
    log,
    write: store.saveUses,
  })

  const countOf = (id: string): Pick<KeyUse, 'day' | 'requests' | 'tokens'> => {
    const day = dayOf(nowSeconds())
    const known = uses.get(id) ?? store.usage(id)
    return known?.day === day ? known : { day, requests: 0, tokens: 0 }
  }
  const put = (id: string, use: KeyUse): void => {
    if (uses.size >= MOST_KEPT && !uses.has(id)) {
      writes.flush()
      uses.clear()
    }
    uses.set(id, use)
    writes.put(id, use)
  }
  const checkCaps = (
    limits: ApiKeyLimits,
    { requests, tokens, day }: Pick<KeyUse, 'day' | 'requests' | 'tokens'>,
  ): void => {
    const isUsedUp = (cap: number | null, used: number): boolean => cap !== null && used >= cap
    if (!isUsedUp(limits.daily_requests, requests) && !isUsedUp(limits.daily_tokens, tokens)) return
    const resetsAt = (day + 1) * DAY_SECONDS
    const time = new Date(resetsAt * 1000).toISOString()
    throw tooManyRequests(
      `This key has used up what it may use in a day. It can be used again from ${time}.`,
      resetsAt - nowSeconds(),
    )
  }

  return {
    begin: (key, from) => {
      const count = countOf(key.id)
      if (key.limits) checkCaps(key.limits, count)
      const use = { day: count.day, requests: count.requests + 1, tokens: count.tokens }
      const origin = from
        ? { program: programOf(from.request), address: from.address }
        : { program: null, address: null }
      put(key.id, { ...use, lastUsedAt: nowSeconds(), ...origin })
    },
    addTokens: (id, tokens) => {
      const known = uses.get(id)
      if (!known || !Number.isFinite(tokens) || tokens <= 0) return
      const count = countOf(id)
      put(id, {
        ...known,
        day: count.day,
        requests: count.requests,
        tokens: count.tokens + Math.round(tokens),
      })
    },
    today: (id) => {
      const { day, requests, tokens } = countOf(id)
      return { requests, tokens, resets_at: (day + 1) * DAY_SECONDS }
    },
    last: (id) => uses.get(id),
    forget: (id) => void uses.delete(id),
  }
}

import type { ApiKeyLimits } from '#contract/auths.ts'

export const LIFETIMES = Object.freeze(['forever', 'day', 'month', 'year'] as const)

const DAYS: Record<(typeof LIFETIMES)[number], number | null> = {
  forever: null,
  day: 1,
  month: 30,
  year: 365,
}

/** Limits of a new key, with all fields as typed. */
export interface KeyLimitsDraft {
  readonly lifetime: (typeof LIFETIMES)[number]
  readonly requests: string
  readonly tokens: string
  /** One model id per line. */
  readonly models: string
  /** One path per line. */
  readonly paths: string
}

export const NO_LIMITS: KeyLimitsDraft = Object.freeze({
  lifetime: 'forever',
  requests: '',
  tokens: '',
  models: '',
  paths: '',
})

const toLines = (text: string): string[] | null => {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  return lines.length === 0 ? null : lines
}
const toCount = (text: string): number | null => Math.trunc(Number(text)) || null

/** Returns the limits to send; only those that were set, as a gateway may support none. */
export function fromLimits(draft: KeyLimitsDraft, now = Date.now()): Partial<ApiKeyLimits> {
  const days = DAYS[draft.lifetime]
  const limits: ApiKeyLimits = {
    expires_at: days === null ? null : Math.floor(now / 1000) + days * 86_400,
    allowed_models: toLines(draft.models),
    allowed_endpoints: toLines(draft.paths),
    daily_requests: toCount(draft.requests),
    daily_tokens: toCount(draft.tokens),
  }
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== null))
}

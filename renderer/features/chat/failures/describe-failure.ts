import type { DoctorStep } from '#contract/doctor.ts'
import type failures from '../../../locales/en/failures.json'
import type { ChatMessage } from '../chat-store.ts'

export type Failure = NonNullable<ChatMessage['error']>
export type FailureKind = keyof (typeof failures)['kinds']

/** True for an answer that failed; one that was stopped did not. */
export const hasFailed = ({ error }: ChatMessage): boolean =>
  error !== undefined && error.code !== 'stopped'

/** True if the conversation has gone on after a failure, or the answer was requested again. */
export const isSuperseded = ({ id, siblingIds }: ChatMessage, isLast: boolean): boolean =>
  !isLast || siblingIds.at(-1) !== id

/** Action offered first. */
export type WayOn = 'retry' | 'connection' | 'model' | 'edit' | 'shorten'

/** Classified failure; `kind` is null for one that only has an error message of its own. */
export interface DescribedFailure {
  readonly kind: FailureKind | null
  /** HTTP status of the provider, not of the gateway. */
  readonly status: number | null
  /** Error message of the provider. */
  readonly said: string | null
  readonly connection: string | null
  readonly way: WayOn
  /** Step of the connection check that finds the cause; null if the cause is known. */
  readonly step: DoctorStep | null
}

const BY_CODE: Readonly<Record<string, FailureKind>> = {
  context_length_exceeded: 'tooLong',
  model_not_found: 'modelMissing',
  offline: 'offline',
  sealed: 'sealed',
  shutdown: 'shutdown',
  unreachable: 'unsent',
  upstream_broken: 'brokeOff',
  upstream_certificate: 'insecure',
  upstream_circuit_open: 'resting',
  upstream_connect_timeout: 'unreachable',
  upstream_failed: 'failed',
  upstream_incomplete: 'brokeOff',
  upstream_not_an_api: 'wrongAddress',
  upstream_proxy: 'proxy',
  upstream_proxy_failed: 'proxyFailed',
  upstream_proxy_sign_in: 'proxy',
  upstream_rate_limited: 'limited',
  upstream_redirect: 'redirected',
  upstream_refused: 'rejected',
  upstream_refused_connection: 'notRunning',
  upstream_refused_key: 'keyRejected',
  upstream_stalled: 'stalled',
  upstream_timeout: 'timedOut',
  upstream_tls: 'insecure',
  upstream_unavailable: 'busy',
  upstream_unknown_host: 'unknownHost',
  upstream_unreachable: 'unreachable',
}

/** Failure kinds by the provider's error code, which is more specific than its status. */
const BY_PROVIDER: Readonly<Record<string, FailureKind>> = {
  billing_hard_limit_reached: 'unpaid',
  content_filter: 'contentRefused',
  content_policy_violation: 'contentRefused',
  context_length_exceeded: 'tooLong',
  credit_balance_too_low: 'unpaid',
  insufficient_quota: 'unpaid',
  model_not_found: 'modelGone',
  ResponsibleAIPolicyViolation: 'contentRefused',
}

const WAYS: Partial<Record<FailureKind, WayOn>> = {
  contentRefused: 'edit',
  insecure: 'connection',
  keyForbidden: 'connection',
  keyRejected: 'connection',
  modelGone: 'model',
  modelMissing: 'model',
  offline: 'model',
  proxy: 'connection',
  proxyFailed: 'connection',
  redirected: 'connection',
  rejected: 'model',
  tooLarge: 'edit',
  tooLong: 'shorten',
  unknownHost: 'connection',
  unpaid: 'model',
  wrongAddress: 'connection',
}

/** Step of the connection check that finds the cause of a failure which does not name it itself. */
const STEPS: Partial<Record<FailureKind, DoctorStep>> = {
  brokeOff: 'answer',
  failed: 'answer',
  proxyFailed: 'proxy',
  resting: 'port',
  stalled: 'answer',
  timedOut: 'answer',
  unreachable: 'port',
}

const own = <Value>(table: Readonly<Record<string, Value>>, key: unknown): Value | null =>
  typeof key === 'string' && Object.hasOwn(table, key) ? (table[key] ?? null) : null

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null

function kindByStatus(code: unknown, status: number | null, said: string): FailureKind | null {
  if (code === 'upstream_refused_key' && status === 403) return 'keyForbidden'
  if (code === 'upstream_too_large') return status === 413 ? 'tooLarge' : null
  if (code !== 'upstream_refused') return null
  if (status === 402) return 'unpaid'
  if (status === 404 || status === 410) return /model/i.test(said) ? 'modelGone' : 'wrongAddress'
  return null
}

/** Classifies a failure by the error codes of the gateway and the provider. */
export function describeFailure(error: Failure): DescribedFailure {
  const { code, provider_status: given, provider_code: word } = error
  const status = typeof given === 'number' ? given : null
  const said = textOf(error['provider_said'])
  const kind =
    own(BY_PROVIDER, word) ??
    kindByStatus(code, status, said ?? error.content) ??
    own(BY_CODE, code)
  return {
    kind,
    status,
    said,
    connection: textOf(error['connection']),
    way: (kind && WAYS[kind]) ?? 'retry',
    step: (kind && STEPS[kind]) ?? null,
  }
}

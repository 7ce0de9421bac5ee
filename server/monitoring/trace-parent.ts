// The W3C Trace Context header, parsing and formatting.
import type { SpanContext } from '@opentelemetry/api'

const HEADER = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/
const NO_TRACE = '0'.repeat(32)
const NO_SPAN = '0'.repeat(16)
const SAMPLED = 1

/** Returns the span of a caller; null if the header contains none. */
export function parseTraceParent(
  header: string | readonly string[] | undefined,
): SpanContext | null {
  if (typeof header !== 'string') return null
  const [, version, traceId, spanId, flags, rest] = HEADER.exec(header.trim()) ?? []
  if (!version || !traceId || !spanId || !flags) return null
  // Later versions may contain more fields; the first one may not.
  if (version === 'ff' || (version === '00' && rest !== undefined)) return null
  if (traceId === NO_TRACE || spanId === NO_SPAN) return null
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & SAMPLED, isRemote: true }
}

export const toTraceParent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${(traceFlags & SAMPLED).toString(16).padStart(2, '0')}`

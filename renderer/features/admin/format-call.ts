import { formatLocale } from '../../lib/i18n.ts'

/**
 * Formats JSON with line breaks; returns anything else, such as an event stream or a truncated
 * body, unchanged.
 */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Formats the time of day with seconds, from unix milliseconds. */
export const formatClock = (milliseconds: number): string =>
  new Intl.DateTimeFormat(formatLocale(), { timeStyle: 'medium' }).format(new Date(milliseconds))

/** Formats a duration: in milliseconds up to a second, then in seconds. */
export function formatDuration(milliseconds: number): string {
  const isShort = milliseconds < 1000
  return new Intl.NumberFormat(formatLocale(), {
    style: 'unit',
    unit: isShort ? 'millisecond' : 'second',
    unitDisplay: 'short',
    maximumFractionDigits: isShort ? 0 : 1,
  }).format(isShort ? milliseconds : milliseconds / 1000)
}

const LONG_ID = /(?<=\/)[\w-]{16,}(?=[/?]|$)/g
const KEPT = 4

/** Shortens the ids in a path in their middle, which says nothing to a reader. */
export const shortenPath = (path: string): string =>
  path.replace(LONG_ID, (id) => (/\d/.test(id) ? `${id.slice(0, KEPT)}…${id.slice(-KEPT)}` : id))

/** Letters of a path that a narrow row has room for beside the method and an ellipsis. */
const LONGEST_END = 14

/**
 * Splits a path before its end, which tells calls apart and is shown whole where the beginning has
 * to be cut: its last parts, or the last letters of a single long one.
 */
export function splitPath(path: string): readonly [beginning: string, end: string] {
  const from = Math.max(0, path.length - LONGEST_END)
  const slash = path.indexOf('/', from)
  const at = slash < 0 ? from : slash
  return [path.slice(0, at), path.slice(at)]
}

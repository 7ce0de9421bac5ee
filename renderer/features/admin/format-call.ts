import { formatLocale } from '../../lib/i18n.ts'

/** JSON with line breaks; anything else, such as a stream of events or a cut body, as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** The time of day with seconds, from unix milliseconds. */
export const formatClock = (milliseconds: number): string =>
  new Intl.DateTimeFormat(formatLocale(), { timeStyle: 'medium' }).format(new Date(milliseconds))

/** How long something took: milliseconds up to a second, then seconds. */
export function formatDuration(milliseconds: number): string {
  const isShort = milliseconds < 1000
  return new Intl.NumberFormat(formatLocale(), {
    style: 'unit',
    unit: isShort ? 'millisecond' : 'second',
    unitDisplay: 'short',
    maximumFractionDigits: isShort ? 0 : 1,
  }).format(isShort ? milliseconds : milliseconds / 1000)
}

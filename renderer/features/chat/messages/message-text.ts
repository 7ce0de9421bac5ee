import { formatLocale } from '../../../lib/i18n.ts'

const WORDS = new Intl.Segmenter(undefined, { granularity: 'word' })
const LONGEST_COUNTED = 50_000

/** Returns the number of words of a text, including languages written without spaces. */
export function countWords(text: string): number {
  if (text.length > LONGEST_COUNTED) return text.split(/\s+/).filter(Boolean).length
  let count = 0
  for (const segment of WORDS.segment(text)) if (segment.isWordLike) count += 1
  return count
}

/** Formats the time of day, with the date if it was not today. `timestamp` is unix seconds. */
export function toTimeText(timestamp: number, locale: string): string {
  const date = new Date(timestamp * 1000)
  const isToday = date.toDateString() === new Date().toDateString()
  return new Intl.DateTimeFormat(formatLocale(locale), {
    timeStyle: 'short',
    ...(!isToday && { dateStyle: 'medium' }),
  }).format(date)
}

/**
 * Returns the number of output tokens, which providers report under several names; null if there is
 * none.
 */
export function tokensOf(usage: Readonly<Record<string, unknown>> | undefined): number | null {
  for (const name of ['output_tokens', 'completion_tokens', 'eval_count']) {
    const value = usage?.[name]
    if (typeof value === 'number' && value > 0) return value
  }
  return null
}

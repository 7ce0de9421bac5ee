import { formatLocale, translate } from './i18n.ts'

/** Formats a date in the locale, from unix seconds. */
export const formatDay = (seconds: number): string =>
  new Intl.DateTimeFormat(formatLocale(), { dateStyle: 'medium' }).format(new Date(seconds * 1000))

/** Formats a date and time in the locale, from unix seconds. */
export const formatMoment = (seconds: number): string =>
  new Intl.DateTimeFormat(formatLocale(), { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(seconds * 1000),
  )

const AGES = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const
const LONGEST_AGE_DAYS = 14

/** Formats the time elapsed since a moment, from unix seconds; after two weeks the date itself. */
export function formatAge(seconds: number): string {
  const age = Date.now() / 1000 - seconds
  if (age > LONGEST_AGE_DAYS * 86_400) return formatDay(seconds)
  const format = new Intl.RelativeTimeFormat(formatLocale(), { numeric: 'auto' })
  const [unit, size] = AGES.find(([, length]) => age >= length) ?? AGES[2]
  return format.format(-Math.floor(age / size), unit)
}

const startOfDay = (at: Date): number =>
  new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime()

/** Formats a date and time near today in words, such as "yesterday, 17:20", from unix seconds. */
export function formatRecent(seconds: number): string {
  const at = new Date(seconds * 1000)
  const days = Math.round((startOfDay(at) - startOfDay(new Date())) / 86_400_000)
  if (Math.abs(days) > 1) return formatMoment(seconds)
  const day = new Intl.RelativeTimeFormat(formatLocale(), { numeric: 'auto' }).format(days, 'day')
  const time = new Intl.DateTimeFormat(formatLocale(), { timeStyle: 'short' }).format(at)
  return translate('common.dayAndTime', { day, time })
}

import type { AnalyticsCost } from '#contract/analytics.ts'
import { formatLocale } from '../../lib/i18n.ts'

export const formatCount = (value: number): string =>
  new Intl.NumberFormat(formatLocale()).format(value)

const toMoney = ({ amount, currency }: AnalyticsCost): string =>
  new Intl.NumberFormat(formatLocale(), { style: 'currency', currency }).format(amount)

/** Formats the cost of answers in each currency; null if no model has a price. */
export const formatCosts = (costs: readonly AnalyticsCost[]): string | null =>
  costs.length === 0
    ? null
    : new Intl.ListFormat(formatLocale(), { type: 'unit' }).format(costs.map(toMoney))

/** Formats a day or hour in the locale, from the gateway's notation. */
export function formatTime(date: string): string {
  const isHour = date.includes(' ')
  const time = new Date(isHour ? date.replace(' ', 'T') : `${date}T00:00`)
  return new Intl.DateTimeFormat(
    formatLocale(),
    isHour
      ? { hour: '2-digit', minute: '2-digit', day: 'numeric', month: 'short' }
      : { dateStyle: 'medium' },
  ).format(time)
}

export const formatShare = (part: number, whole: number): string =>
  new Intl.NumberFormat(formatLocale(), { style: 'percent', maximumFractionDigits: 1 }).format(
    whole === 0 ? 0 : part / whole,
  )

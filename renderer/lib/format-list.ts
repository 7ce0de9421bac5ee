import { formatLocale } from './i18n.ts'

/** Names behind one another, as the language lists things. */
export const formatNames = (names: readonly (string | number)[]): string =>
  new Intl.ListFormat(formatLocale(), { type: 'conjunction', style: 'narrow' }).format(
    names.map(String),
  )

/** A share of a whole, from 0 to 1. */
export const formatShare = (share: number): string =>
  new Intl.NumberFormat(formatLocale(), { style: 'percent', maximumFractionDigits: 0 }).format(
    share,
  )

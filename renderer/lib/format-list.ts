import { formatLocale } from './i18n.ts'

/** Formats names as a list according to the locale. */
export const formatNames = (names: readonly (string | number)[]): string =>
  new Intl.ListFormat(formatLocale(), { type: 'conjunction', style: 'narrow' }).format(
    names.map(String),
  )

/** Formats a fraction from 0 to 1 as a percentage. */
export const formatShare = (share: number): string =>
  new Intl.NumberFormat(formatLocale(), { style: 'percent', maximumFractionDigits: 0 }).format(
    share,
  )

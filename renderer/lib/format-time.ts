import i18next from 'i18next'

/** A day as people write it here, from unix seconds. */
export const formatDay = (seconds: number): string =>
  new Intl.DateTimeFormat(i18next.language, { dateStyle: 'medium' }).format(new Date(seconds * 1000))

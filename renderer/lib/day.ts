/** A day as `YYYY-MM-DD`, independent of clock changes. */
export type Day = string

export const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** Returns the day of a moment in the local time zone. */
export const toDay = (date: Date): Day =>
  `${String(date.getFullYear()).padStart(4, '0')}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`

export type TimeGroup =
  | { readonly kind: 'today' | 'yesterday' | 'week' | 'month' }
  | { readonly kind: 'named'; readonly year: number; readonly month: number }

const DAY = 86_400_000

const startOfDay = (time: number): number => new Date(time).setHours(0, 0, 0, 0)

/** Returns the date group of `seconds` (a unix timestamp), by this computer's calendar. */
export function timeGroup(seconds: number, now: number): TimeGroup {
  // A day with a clock change is an hour longer or shorter; rounding still counts it as one day.
  const days = Math.round((startOfDay(now) - startOfDay(seconds * 1000)) / DAY)
  if (days <= 0) return { kind: 'today' }
  if (days === 1) return { kind: 'yesterday' }
  if (days <= 7) return { kind: 'week' }
  if (days <= 30) return { kind: 'month' }
  const date = new Date(seconds * 1000)
  return { kind: 'named', year: date.getFullYear(), month: date.getMonth() }
}

/** Returns a short key that is equal for members of one group. */
export const timeGroupKey = (group: TimeGroup): string =>
  group.kind === 'named' ? `${group.year}-${group.month + 1}` : group.kind

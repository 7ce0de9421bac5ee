const DAY = 86_400_000

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(zone, made)
  return made
}

export function isTimeZone(zone: string): boolean {
  try {
    formatOf(zone)
    return true
  } catch {
    return false
  }
}

/** Returns the time zone of this computer. */
export const ownTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Returns the wall-clock time in a zone, represented as if it were UTC. */
export function toWallTime(instant: number, zone: string): number {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>
  return Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second)
}

/**
 * Returns the instant of a wall-clock time in a zone. If that occurs twice, when clocks are put
 * back, the first one; a time that is skipped is moved by the amount clocks are put forward.
 */
export function toInstant(wall: number, zone: string): number {
  const offsetAt = (instant: number): number =>
    toWallTime(instant, zone) - Math.floor(instant / 1000) * 1000
  const before = wall - offsetAt(wall - DAY)
  const after = wall - offsetAt(wall + DAY)
  if (toWallTime(before, zone) === wall) return before
  return toWallTime(after, zone) === wall ? after : before
}

const SECONDS: Readonly<Record<string, number>> = {
  ms: 0.001,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
}
/** A century; longer lifetimes would only overflow. */
const LONGEST_SECONDS = 100 * 365 * 86_400

/**
 * Parses a lifetime such as `4w` or `1h30m` to seconds; null for `-1` and `0`, which mean forever.
 * Undefined if it is invalid.
 */
export function parseDuration(text: string): number | null | undefined {
  if (text === '-1' || text === '0') return null
  if (!/^(\d+(\.\d+)?(ms|[smhdw]))+$/.test(text)) return undefined
  const seconds = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhdw])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * SECONDS[unit!]!,
    0,
  )
  return Math.min(LONGEST_SECONDS, Math.max(1, Math.round(seconds)))
}

const STORAGE_KEY = 'recent-emoji'
const MOST = 16
const FIRST: readonly string[] = ['👍', '❤️', '😂', '🎉', '👀', '✅', '🙏', '🚀']

/** The signs used last in this browser, filled up with usual ones. */
export function recentEmoji(): readonly string[] {
  let kept: unknown = null
  try {
    kept = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null')
  } catch {
    // Storage may be closed to this page, or hold something of another version.
  }
  const known = Array.isArray(kept)
    ? kept.filter((sign): sign is string => typeof sign === 'string')
    : []
  return [...new Set([...known, ...FIRST])].slice(0, MOST)
}

/** Notes that a sign was used. */
export function noteEmoji(sign: string): void {
  try {
    localStorage.setItem(
      STORAGE_KEY,
      JSON.stringify([...new Set([sign, ...recentEmoji()])].slice(0, MOST)),
    )
  } catch {
    // Then the usual ones are offered.
  }
}

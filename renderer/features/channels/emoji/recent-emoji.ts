const STORAGE_KEY = 'recent-emoji'
const MOST = 16
const FIRST: readonly string[] = ['👍', '❤️', '😂', '🎉', '👀', '✅', '🙏', '🚀']

/** Returns the emoji used last in this browser, followed by common ones. */
export function recentEmoji(): readonly string[] {
  let kept: unknown = null
  try {
    kept = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null')
  } catch {
    // Storage may be unavailable or contain data of another version.
  }
  const known = Array.isArray(kept)
    ? kept.filter((sign): sign is string => typeof sign === 'string')
    : []
  return [...new Set([...known, ...FIRST])].slice(0, MOST)
}

/** Records the use of an emoji. */
export function noteEmoji(sign: string): void {
  try {
    localStorage.setItem(
      STORAGE_KEY,
      JSON.stringify([...new Set([sign, ...recentEmoji()])].slice(0, MOST)),
    )
  } catch {
    // In that case common ones are offered.
  }
}

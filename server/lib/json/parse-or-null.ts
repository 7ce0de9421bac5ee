/** Parses a text of another program; returns null if it is not JSON. */
export function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Returns how well a text matches a query, from 1 (starts with it) down to 0 (lacks one of its
 * words).
 */
export function rankText(text: string, query: string): number {
  const haystack = text.toLowerCase()
  const needle = query.trim().toLowerCase()
  if (!needle) return 1
  if (haystack.startsWith(needle)) return 1
  if (haystack.includes(` ${needle}`)) return 0.8
  if (haystack.includes(needle)) return 0.6
  return needle.split(/\s+/).every((word) => haystack.includes(word)) ? 0.4 : 0
}

/**
 * Returns true if a text contains every word of a query, in any order and case; true for an empty
 * query.
 */
export function hasWords(text: string, query: string): boolean {
  const searched = text.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word))
}

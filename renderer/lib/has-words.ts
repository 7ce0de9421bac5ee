/** Whether a text holds every word of a query, in any order and case; without words it does. */
export function hasWords(text: string, query: string): boolean {
  const searched = text.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word))
}

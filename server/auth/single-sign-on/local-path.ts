const LONGEST = 1000
// oxlint-disable-next-line no-control-regex -- browsers drop or replace these characters, and open another URL
const AMBIGUOUS = /[\u0000-\u0020\u007f\\]/
const ORIGIN = 'http://gateway.invalid'

/**
 * Returns a path of the gateway itself with its query; null for everything that could lead a
 * browser elsewhere.
 */
export function toLocalPath(text: string | undefined): string | null {
  if (
    text === undefined ||
    text.length > LONGEST ||
    AMBIGUOUS.test(text) ||
    !/^\/(?!\/)/.test(text)
  )
    return null
  const url = URL.parse(text, ORIGIN)
  if (!url || url.origin !== ORIGIN || url.pathname.startsWith('//')) return null
  return url.pathname + url.search
}

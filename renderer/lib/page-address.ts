/** Returns the URL of a page, adding a missing scheme; null if the text is not a web URL. */
export function toPageAddress(text: string): string | null {
  const trimmed = text.trim()
  const url = URL.parse(/^[a-z][a-z\d+.-]*:/i.test(trimmed) ? trimmed : `https://${trimmed}`)
  return url &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.hostname.includes('.')
    ? url.href
    : null
}

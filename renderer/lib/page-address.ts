/**
 * Returns the URL of a page, adding a missing scheme; null if the text is not a web URL. Without a
 * scheme a name without a dot is a word, not a host.
 */
export function toPageAddress(text: string): string | null {
  const trimmed = text.trim()
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(trimmed)
  const url = URL.parse(hasScheme ? trimmed : `https://${trimmed}`)
  if (!url || !/^https?:$/.test(url.protocol)) return null
  return hasScheme || url.hostname.includes('.') ? url.href : null
}

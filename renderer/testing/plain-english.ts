/** Keyboard keys, example URLs, and names of products and settings are not translated. */
const isExempt = (element: Element | null): boolean =>
  element?.closest('kbd, [data-exempt], [translate="no"]') !== null
const withoutData = (text: string): string =>
  text
    .replace(/https?:\/\/\S+/g, '')
    .replace(/\d+:\d\d\s[AP]M/g, '')
    // Dates and sizes are formatted by the platform.
    .replaceAll(/[A-Z][a-z]{2} \d{1,2}, \d{4}/g, '')
    .replaceAll(/\b(?:today|yesterday),/g, '')
    .replaceAll(/\d kB/g, '')

/**
 * Returns every text on the page that is not accented English and thus did not come from the
 * strings.
 */
export function plainEnglish(): string[] {
  const found: string[] = []
  const check = (text: string | null): void => {
    if (text && /[A-Za-z]{2,}/.test(withoutData(text))) found.push(text)
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement
    if (!isExempt(parent) && parent?.tagName !== 'STYLE') check(walker.currentNode.textContent)
  }
  for (const element of document.body.querySelectorAll('*')) {
    for (const name of ['aria-label', 'placeholder', 'title', 'alt'])
      check(element.getAttribute(name))
  }
  return found
}

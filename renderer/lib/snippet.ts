/** A part of an excerpt. */
export interface SnippetPart {
  readonly text: string
  readonly match: boolean
}

/** Markdown syntax that is removed from an excerpt. */
const MARKUP = /\*\*|~~|`+|^#+\s/gm

/** Splits an excerpt at the markers the gateway puts around matches (U+E000 … U+E001). */
export function splitSnippet(snippet: string): readonly SnippetPart[] {
  return snippet
    .replace(MARKUP, '')
    .split(/(\uE000[^\uE001]*\uE001?)/)
    .map((text) => ({
      text: text.replace(/[\uE000\uE001]/g, ''),
      match: text.startsWith('\uE000'),
    }))
    .filter((part) => part.text)
}

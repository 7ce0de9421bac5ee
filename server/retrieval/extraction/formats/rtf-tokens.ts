/** A token of an RTF file. */
export type RtfToken =
  | { readonly kind: 'open' }
  | { readonly kind: 'close' }
  | { readonly kind: 'word'; readonly word: string; readonly value: number | null }
  /** One byte in the encoding of the current font. */
  | { readonly kind: 'byte'; readonly byte: number }
  | { readonly kind: 'text'; readonly text: string }

const TOKEN =
  /([{}])|\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([\da-f]{2})|\\([^a-z\d'])|([^{}\\\r\n]+)|[\r\n]+|\\/giy

/** Tokenizes RTF, which is ASCII, sequentially. Skips pictures in binary form. */
export function* readTokens(source: string): Generator<RtfToken> {
  const pattern = new RegExp(TOKEN)
  for (let found = pattern.exec(source); found; found = pattern.exec(source)) {
    const [, brace, word, value, hex, symbol, text] = found
    if (brace) yield brace === '{' ? { kind: 'open' } : { kind: 'close' }
    else if (word === 'bin') pattern.lastIndex += Math.max(0, Number(value ?? 0))
    else if (word) yield { kind: 'word', word, value: value === undefined ? null : Number(value) }
    else if (hex) yield { kind: 'byte', byte: Number.parseInt(hex, 16) }
    else if (symbol) yield { kind: 'word', word: symbol, value: null }
    else if (text) yield { kind: 'text', text }
  }
}

import { isRecord } from '../is-record.ts'

/** Maximum length of a text that is repaired. */
const LONGEST_MENDED = 256 * 1024
/** Alternatives in order: a text, a bracket, colon or comma, whitespace, and anything else. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:,]|\s+|[^"{}[\]:,\s]+/suy
/** Matches the beginning of an object or a list of objects. */
const IS_MEANT = /^\s*[[{]/
const NO_NUMBER = /^-?(?:NaN|Infinity)$/

/** Returns the change in bracket depth caused by one token. */
const depthOf = (token: string): number =>
  token === '{' || token === '[' ? 1 : token === '}' || token === ']' ? -1 : 0

/**
 * Returns the repaired texts of adjacent objects and lists; null if there is any other text or an
 * unclosed bracket.
 */
function split(text: string): string[] | null {
  const found: string[] = []
  let [value, comma, depth] = ['', '', 0]
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const token = TOKEN.exec(text)?.[0]
    if (token === undefined) return null
    if (token.trim() === '') continue
    if (token === ',') {
      // Kept until it is known that no closing bracket follows. Between two objects no comma is
      // needed.
      if (depth > 0) comma = ','
      continue
    }
    const change = depthOf(token)
    if (depth === 0 && change !== 1) return null
    value += (change === -1 ? '' : comma) + (NO_NUMBER.test(token) ? 'null' : token)
    comma = ''
    depth += change
    if (depth > 0) continue
    found.push(value)
    value = ''
  }
  return depth === 0 && found.length > 0 ? found : null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the documents of a text that should be one; null for an unreadable text. */
function parseMended(text: string): unknown[] | null {
  const value = parse(text)
  if (value !== undefined) return [value]
  if (text.length > LONGEST_MENDED) return null
  const values = split(text)?.map(parse) ?? [undefined]
  return values.includes(undefined) ? null : values
}

/**
 * Parses the objects of a text that should be one object. Some senders write several, side by side
 * or as a list, leave a trailing comma, or write `NaN` and `Infinity`, which become null. Returns
 * none for text that was not meant to be an object, which is noise. Null if it was meant to be one
 * and is unreadable, so that data is missing.
 */
export function parseObjects(text: string): Record<string, unknown>[] | null {
  if (!IS_MEANT.test(text)) return []
  const values = parseMended(text)?.flat() ?? [undefined]
  return values.every(isRecord) ? values : null
}

import { isRecord } from './is-record.ts'

/** Longer text is not looked through. */
const LONGEST_MENDED = 256 * 1024
/** One after the other: a text, a bracket, colon or comma, spaces, and anything else. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:,]|\s+|[^"{}[\]:,\s]+/suy
/** How an object or a list of objects begins. */
const IS_MEANT = /^\s*[[{]/
const NO_NUMBER = /^-?(?:NaN|Infinity)$/

/** What one token adds to the depth of brackets. */
const depthOf = (token: string): number =>
  token === '{' || token === '[' ? 1 : token === '}' || token === ']' ? -1 : 0

/**
 * The texts of the objects and lists that stand side by side, mended; null when something else
 * stands there or a bracket is left open.
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
      // Kept until it is known that no closing bracket follows. Between two objects none is needed.
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

/** The documents of a text that should be one; null for a text that cannot be read. */
function parseMended(text: string): unknown[] | null {
  const value = parse(text)
  if (value !== undefined) return [value]
  if (text.length > LONGEST_MENDED) return null
  const values = split(text)?.map(parse) ?? [undefined]
  return values.includes(undefined) ? null : values
}

/**
 * The objects of a text that should be one object. Some senders write several, side by side or as a
 * list, leave a comma behind the last field, or write `NaN` and `Infinity`, which become null. None
 * for text that was never meant to be an object, which is noise of its sender. Null when it was
 * meant to be and cannot be read, so that something is missing.
 */
export function parseObjects(text: string): Record<string, unknown>[] | null {
  if (!IS_MEANT.test(text)) return []
  const values = parseMended(text)?.flat() ?? [undefined]
  return values.every(isRecord) ? values : null
}

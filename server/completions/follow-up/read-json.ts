import { isRecord } from '../../lib/is-record.ts'
import { parseOrNull } from '../../lib/json/parse-or-null.ts'

/** Maximum length of a model's text that is searched for JSON. */
const MAX_TEXT_LENGTH = 64 * 1024
const MAX_OPENINGS = 50

/** Removes the tagged reasoning that some models write before their text. */
export const withoutReasoning = (said: string): string =>
  said
    .slice(0, MAX_TEXT_LENGTH)
    .replace(/^\s*<(\w+)>[\s\S]*?<\/\1>/, '')
    .trim()

/**
 * Returns the value of a field in the first JSON object of a text that has it, ignoring surrounding
 * text; undefined if none has.
 */
export function readField(text: string, field: string): unknown {
  for (const value of findJson(text, '{'))
    if (isRecord(value) && Object.hasOwn(value, field)) return value[field]
  return undefined
}

/**
 * Returns the first list of texts in a model's text: in the field, bare, or as lines with bullets
 * or numbers.
 */
export function readList(text: string, field: string): string[] {
  const named = readField(text, field)
  if (named !== undefined) return toTexts(named)
  for (const value of findJson(text, '[')) if (Array.isArray(value)) return toTexts(value)
  return toTexts(text.split('\n').flatMap((line) => BULLET.exec(line)?.[1] ?? []))
}

const BULLET = /^\s*(?:[-*•]|\d{1,2}[.)])\s+(.+)$/
const MAX_ENTRIES = 20
const MAX_ENTRY_LENGTH = 500

function toTexts(value: unknown): string[] {
  if (!Array.isArray(value)) return typeof value === 'string' ? toTexts([value]) : []
  const texts = value
    .filter((entry) => typeof entry === 'string')
    .map((entry) => entry.trim().slice(0, MAX_ENTRY_LENGTH))
  return [...new Set(texts.filter((text) => text !== ''))].slice(0, MAX_ENTRIES)
}

/** Yields every JSON value of a text that starts with the bracket, from left to right. */
function* findJson(text: string, opening: '{' | '['): Generator<unknown, void, void> {
  let start = text.indexOf(opening)
  for (let tries = 0; start !== -1 && tries < MAX_OPENINGS; tries += 1) {
    const end = findEnd(text, start)
    if (end !== -1) yield parseOrNull(text.slice(start, end))
    start = text.indexOf(opening, start + 1)
  }
}

/**
 * Returns the index at which the bracket at `start` is closed; brackets inside strings do not
 * count. -1 if it is never closed.
 */
function findEnd(text: string, start: number): number {
  let depth = 0
  let isInString = false
  for (let index = start; index < text.length; index += 1) {
    const character = text[index]
    if (character === '\\' && isInString) index += 1
    else if (character === '"') isInString = !isInString
    else if (isInString) continue
    else if (character === '{' || character === '[') depth += 1
    else if ((character === '}' || character === ']') && (depth -= 1) === 0) return index + 1
  }
  return -1
}

import type { SettingValue } from '#contract/settings.ts'
import { checkPlainJson } from '../lib/json/check-plain-json.ts'
import type { SettingDefinition } from './setting-definition.ts'

/** Minimum of a number if its row has none. */
export const LEAST = 0
const LONGEST_TEXT = 20_000
/** Maximum length of a multi-line setting. */
const LONGEST_LINES = 256 * 1024
const LONGEST_JSON = 1024 * 1024
const LONGEST_LIST = 1000
const TRUE_WORDS = new Set(['true', '1', 'yes'])
const FALSE_WORDS = new Set(['false', '0', 'no'])

/** Describes what a row accepts, to complete "must be …". */
export function describeAllowed(definition: SettingDefinition): string {
  const {
    type,
    allowed,
    minimum = LEAST,
    maximum = Number.MAX_SAFE_INTEGER,
    pattern,
    json,
  } = definition
  if (type === 'json') return json?.words ?? 'JSON'
  if (type === 'boolean') return 'true or false'
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`
  if (type === 'number') return `a number from ${minimum} to ${maximum}`
  const entry = allowed
    ? `one of ${allowed.join(', ')}`
    : (pattern?.words ?? `text of at most ${LONGEST_TEXT} characters`)
  return type === 'list' ? `a list, each entry ${entry}` : entry
}

function parseBoolean(raw: SettingValue): boolean | null {
  if (Array.isArray(raw)) return null
  const word = String(raw).trim().toLowerCase()
  if (TRUE_WORDS.has(word)) return true
  return FALSE_WORDS.has(word) ? false : null
}

function parseInteger(
  raw: SettingValue,
  { minimum = LEAST, maximum = Number.MAX_SAFE_INTEGER }: SettingDefinition,
): number | null {
  if (Array.isArray(raw)) return null
  const text = String(raw).trim()
  const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN
  return value >= minimum && value <= maximum ? value : null
}

function parseNumber(
  raw: SettingValue,
  { minimum = LEAST, maximum = Number.MAX_SAFE_INTEGER }: SettingDefinition,
): number | null {
  if (Array.isArray(raw)) return null
  const text = String(raw).trim()
  const value = /^-?\d+(\.\d+)?(e-?\d+)?$/i.test(text) ? Number(text) : Number.NaN
  return value >= minimum && value <= maximum ? value : null
}

function parseText(
  raw: SettingValue,
  { allowed, pattern, isLong = false }: SettingDefinition,
): string | null {
  if (typeof raw !== 'string' || raw.length > (isLong ? LONGEST_LINES : LONGEST_TEXT)) return null
  const text = raw.trim()
  const isAllowed = allowed ? allowed.includes(text) : !pattern || pattern.expression.test(text)
  return isAllowed ? text : null
}

function parseList(raw: SettingValue, definition: SettingDefinition): string[] | null {
  const parts = typeof raw === 'string' ? raw.split(definition.separator ?? /[,;]/) : raw
  if (!Array.isArray(parts) || parts.length > LONGEST_LIST) return null
  const entries = parts.map((part) => part.trim()).filter((part) => part !== '')
  return entries.every((entry) => parseText(entry, definition) !== null)
    ? [...new Set(entries)]
    : null
}

/** Returns the text as parsed by the schema, so that reading needs no second check. */
function parseJsonText(raw: SettingValue, { json }: SettingDefinition): string | null {
  if (typeof raw !== 'string' || raw.length > LONGEST_JSON) return null
  try {
    const value: unknown = JSON.parse(raw)
    checkPlainJson(value, 'The setting')
    const result = json?.schema.safeParse(value)
    if (result && !result.success) return null
    return JSON.stringify(result ? result.data : value)
  } catch {
    return null
  }
}

/**
 * Converts text of the environment or a value of the API to the type of its row; null if it does
 * not fit.
 */
export function parseValue(definition: SettingDefinition, raw: SettingValue): SettingValue {
  switch (definition.type) {
    case 'boolean':
      return parseBoolean(raw)
    case 'integer':
      return parseInteger(raw, definition)
    case 'number':
      return parseNumber(raw, definition)
    case 'list':
      return parseList(raw, definition)
    case 'string':
      return parseText(raw, definition)
    case 'json':
      return parseJsonText(raw, definition)
  }
}

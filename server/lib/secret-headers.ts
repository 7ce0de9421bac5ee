import { badRequest } from './errors.ts'
import { ownValue } from './own-value.ts'

/** Stands for the value of a header that is not shown; sent back, it keeps what is stored. */
const MASK = '********'

/** What these say is known to everybody. Any other header may carry a key, whatever its name. */
const OPEN_NAMES: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'anthropic-beta',
  'anthropic-version',
  'openai-beta',
  'user-agent',
])

const PLACEHOLDERS = /\{\{[A-Z_]+\}\}/g

/**
 * Whether a value may be read again: a harmless name, or nothing in it but placeholders for the
 * person of a call.
 */
const isOpen = (name: string, value: string): boolean =>
  value === '' ||
  OPEN_NAMES.has(name.toLowerCase()) ||
  !/[^\s,;:/|-]/.test(value.replaceAll(PLACEHOLDERS, ''))

/** The headers an administrator entered, as administrators see them. */
export const maskHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isOpen(name, value) ? value : MASK]),
  )

/**
 * Puts stored values in place of their masks; 400 for a mask that stands for none, as after a
 * change of the name.
 */
export function unmaskHeaders(
  given: Readonly<Record<string, string>>,
  stored: Readonly<Record<string, string>>,
): Record<string, string> {
  const unmask = (name: string, value: string): string => {
    if (value !== MASK) return value
    const kept = ownValue(stored, name)
    if (kept === undefined)
      throw badRequest(
        `There is no stored value for the header "${name}". Enter it in place of ${MASK}.`,
      )
    return kept
  }
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, unmask(name, value)]),
  )
}

/**
 * Values of headers that may appear in no error; a short one would blot out words by chance, unless
 * its name says what it is.
 */
export const secretValuesOf = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers).flatMap(([name, value]) =>
    !isOpen(name, value) &&
    (value.length >= 8 || /auth|key|token|secret|cookie|password/i.test(name))
      ? [value]
      : [],
  )

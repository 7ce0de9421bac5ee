import { badRequest } from '../errors.ts'

/** Placeholder of a header value that is not shown; sent back, it keeps the stored one. */
const MASK = '********'

/** Headers whose values are public. Any other header may contain a key, whatever its name. */
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
 * Returns true if a value may be displayed: a harmless name, or only placeholders for the user of a
 * call.
 */
const isOpen = (name: string, value: string): boolean =>
  value === '' ||
  OPEN_NAMES.has(name.toLowerCase()) ||
  !/[^\s,;:/|-]/.test(value.replaceAll(PLACEHOLDERS, ''))

/** Returns the headers an administrator entered, as shown to administrators. */
export const maskHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isOpen(name, value) ? value : MASK]),
  )

/**
 * Replaces masks by stored values, whichever way their names are spelled; throws 400 for a mask
 * without a stored value, for example after a change of the name.
 */
export function unmaskHeaders(
  given: Readonly<Record<string, string>>,
  stored: Readonly<Record<string, string>>,
): Record<string, string> {
  const known = new Map(Object.entries(stored).map(([name, value]) => [name.toLowerCase(), value]))
  const unmask = (name: string, value: string): string => {
    if (value !== MASK) return value
    const kept = known.get(name.toLowerCase())
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
 * Returns the header values that must not appear in any error; a short one would match other text
 * by chance, and is included only if its name marks it as secret.
 */
export const secretValuesOf = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers).flatMap(([name, value]) =>
    !isOpen(name, value) &&
    (value.length >= 8 || /auth|key|token|secret|cookie|password/i.test(name))
      ? [value]
      : [],
  )

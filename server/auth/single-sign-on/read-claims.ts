import { emailSchema } from '#contract/common.ts'
import { isRecord } from '../../lib/is-record.ts'
import { SignInFailure } from './sign-in-failure.ts'

/** Claims of a provider about a user. */
export type Claims = Readonly<Record<string, unknown>>

const MOST_PARTS = 12
const MOST_ENTRIES = 1000
const LONGEST_ENTRY = 256

/**
 * Returns the value of a claim that may be nested, as in `realm_access.roles`. Names may contain
 * dots themselves, as in `https://example.org/roles`, so the longest existing name takes
 * precedence. Only own properties count.
 */
export function readClaim(claims: unknown, path: string): unknown {
  const parts = path.split('.')
  if (path === '' || parts.length > MOST_PARTS) return undefined
  const find = (from: unknown, left: readonly string[]): unknown => {
    if (!isRecord(from)) return undefined
    for (let taken = left.length; taken > 0; taken -= 1) {
      const name = left.slice(0, taken).join('.')
      if (!Object.hasOwn(from, name)) continue
      const value = taken === left.length ? from[name] : find(from[name], left.slice(taken))
      if (value !== undefined) return value
    }
    return undefined
  }
  return find(claims, parts)
}

/** Returns a claim as one text; null for anything else, or only spaces. */
export function readText(claims: Claims, path: string): string | null {
  const value = readClaim(claims, path)
  const text =
    typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  return text === '' ? null : text
}

/**
 * Returns a claim as a list of texts: a list, a text with `separator` between the entries, or a
 * number. Null if it is missing or something else. Throws for an excessively large claim, which
 * cannot be intended.
 */
export function readList(claims: Claims, path: string, separator: string): string[] | null {
  const value = readClaim(claims, path)
  if (typeof value === 'number') return [String(value)]
  const entries =
    typeof value === 'string' ? (separator === '' ? [value] : value.split(separator)) : value
  if (!Array.isArray(entries)) return null
  if (entries.length > MOST_ENTRIES)
    throw new SignInFailure(
      'claims',
      'The provider sent more about this account than can be read. Tell an administrator.',
      {
        detail: `The claim ${path} has ${entries.length} entries; at most ${MOST_ENTRIES} are read.`,
        remedy:
          'Let the provider send only the entries that matter here, such as the groups of this application.',
      },
    )
  const texts = entries
    .filter((entry) => typeof entry === 'string' || typeof entry === 'number')
    .map((entry) => String(entry).trim())
    .filter((entry) => entry !== '' && entry.length <= LONGEST_ENTRY)
  return [...new Set(texts)]
}

/**
 * Returns an e-mail address in stored form: one `@`, lower-cased once, and no confusable
 * characters. Null for anything else.
 */
export function readEmail(claims: Claims, path: string): string | null {
  const text = readText(claims, path)
  if (text === null || text.normalize('NFKC') !== text || /\p{C}/u.test(text)) return null
  const email = emailSchema.safeParse(text)
  return email.success && email.data.normalize('NFKC') === email.data ? email.data : null
}

/** Returns true if the provider has verified the e-mail address; null if it does not say. */
export function readVerified(claims: Claims): boolean | null {
  const value = readClaim(claims, 'email_verified')
  if (value === undefined || value === null) return null
  return value === true || value === 'true'
}

/** Returns true if an e-mail address is in one of the allowed domains, compared whole. */
export function isAllowedDomain(email: string, domains: readonly string[]): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return domains.some((entry) => entry === '*' || entry.toLowerCase().replace(/^@/, '') === domain)
}

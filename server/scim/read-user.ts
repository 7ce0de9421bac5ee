import { z } from '#contract/lazy-zod.ts'
import { emailSchema } from '#contract/common.ts'
import { isRecord } from '../lib/is-record.ts'
import { fault } from './faults.ts'
import { findName } from './filter.ts'

/** The fields a client sent for a user; missing ones are undefined. */
export interface UserInput {
  readonly userName: string
  readonly externalId: string | null
  readonly name: string
  readonly email: string
  readonly active: boolean
}

const LONGEST_TEXT = 254
const LONGEST_NAME = 200

const text = (longest: number) => z.string().trim().max(longest)
const userSchema = z.object({
  username: text(LONGEST_TEXT).min(1),
  externalid: text(LONGEST_TEXT).nullish(),
  displayname: text(LONGEST_NAME).nullish(),
  name: z.record(z.string(), z.unknown()).nullish(),
  emails: z.array(z.unknown()).nullish(),
  // Some clients send a boolean as a text.
  active: z.union([z.boolean(), z.stringbool()]).nullish(),
})

/**
 * Returns the attributes by their names in lower case; names of the protocol are case-insensitive.
 */
const foldNames = (resource: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(resource).map(([name, value]) => [name.toLowerCase(), value]))

/**
 * Parses a resource with a schema; throws 400 `invalidValue` with the attribute that does not
 * match.
 */
export function readResource<Schema extends z.ZodType>(
  schema: Schema,
  resource: Readonly<Record<string, unknown>>,
): z.output<Schema> {
  const result = schema.safeParse(foldNames(resource))
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw fault(
    'invalidValue',
    `The attribute ${issue!.path.join('.') || 'of the resource'} does not fit: ${issue!.message}.`,
  )
}

const partOf = (value: unknown, name: string): unknown => {
  const key = isRecord(value) ? findName(value, name) : null
  return key === null ? undefined : (value as Record<string, unknown>)[key]
}
const wholeTextOf = (value: unknown, name: string): string => {
  const part = partOf(value, name)
  return typeof part === 'string' ? part.trim() : ''
}
const textOf = (value: unknown, name: string): string =>
  wholeTextOf(value, name).slice(0, LONGEST_NAME)

/** Returns the primary email address, else the work address, else the first. */
function findAddress(emails: readonly unknown[]): string | null {
  const isPrimary = (email: unknown): boolean => /^true$/i.test(String(partOf(email, 'primary')))
  const isOfWork = (email: unknown): boolean => textOf(email, 'type').toLowerCase() === 'work'
  const chosen = emails.find(isPrimary) ?? emails.find(isOfWork) ?? emails[0]
  return chosen === undefined
    ? null
    : typeof chosen === 'string'
      ? chosen
      : wholeTextOf(chosen, 'value')
}

function readAddress(userName: string, emails: readonly unknown[]): string {
  const address = findAddress(emails)
  const { data } = emailSchema.safeParse(address ?? userName)
  if (data !== undefined) return data
  throw fault(
    'invalidValue',
    address === null
      ? 'An account needs an e-mail address: send one in emails, or a userName that is one.'
      : 'What stands in emails is not an e-mail address.',
  )
}

/** Joins given and family name. */
export const joinName = (name: unknown): string =>
  [textOf(name, 'givenname'), textOf(name, 'familyname')].filter(Boolean).join(' ')

/** Parses a user; throws 400 `invalidValue` for one without a name or an email address. */
export function readUser(resource: Readonly<Record<string, unknown>>): UserInput {
  const { username, externalid, displayname, name, emails, active } = readResource(
    userSchema,
    resource,
  )
  return {
    userName: username,
    externalId: externalid || null,
    name:
      displayname || textOf(name, 'formatted') || joinName(name) || username.slice(0, LONGEST_NAME),
    email: readAddress(username, emails ?? []),
    active: active ?? true,
  }
}

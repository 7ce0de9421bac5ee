import type { Entry, Filter } from 'ldapts'
import { emailSchema } from '#contract/common.ts'
import type { LdapServer } from '#contract/ldap.ts'
import { ServiceError, badRequest, timedOut, upstreamFailed } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { explainFailure } from './explain-failure.ts'
import { openLine, type Line } from './open-line.ts'

/** A user of the directory. */
export interface Person {
  readonly email: string
  readonly name: string
}

const LONGEST_MILLISECONDS = 10_000
const MOST_COUNTED = 100

/**
 * Directories vary the case of attribute names; requested attributes that are missing are returned
 * as empty lists.
 */
const valuesOf = (entry: Entry, attribute: string): string[] =>
  Object.entries(entry)
    .filter(([name]) => name.toLowerCase() === attribute.toLowerCase())
    .flatMap(([, value]) => value)
    .map(String)

const firstOf = (entry: Entry, attribute: string): string =>
  (valuesOf(entry, attribute)[0] ?? '').trim()

/**
 * Parses the filter of the settings, which may be several in a row; throws 400 if it is invalid.
 */
export async function parseFilters(text: string): Promise<Filter | null> {
  if (text === '') return null
  const { FilterParser } = await import('ldapts')
  try {
    return FilterParser.parseString(`(&${text.startsWith('(') ? text : `(${text})`})`)
  } catch (cause) {
    throw badRequest(
      'The search filter is not one. It looks like (memberOf=cn=chat,ou=groups,dc=example,dc=org).',
      { cause },
    )
  }
}

/** The response to a sign-in must not reveal anything about the network behind the gateway. */
const tellNobody = (): string =>
  'The directory could not be queried. Try again later, or tell an administrator.'

/** Runs work on a dedicated connection, within the time limit of a sign-in. */
async function withLine<Result>(
  server: LdapServer,
  { signal, explain }: { signal: AbortSignal; explain: typeof explainFailure },
  work: (line: Line) => Promise<Result>,
): Promise<Result> {
  const limit = AbortSignal.timeout(LONGEST_MILLISECONDS)
  const either = AbortSignal.any([signal, limit])
  const aborted = Promise.withResolvers<never>()
  aborted.promise.catch(() => undefined)
  either.addEventListener(
    'abort',
    () => aborted.reject(new Error('The time for the directory is over.')),
    { once: true },
  )
  const run = async (): Promise<Result> => {
    const line = await openLine(server, either)
    try {
      return await work(line)
    } finally {
      line.close()
    }
  }
  try {
    return await Promise.race([run(), aborted.promise])
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    if (limit.aborted) throw timedOut('The directory did not answer in time.', { cause })
    throw upstreamFailed(explain(cause, server), { cause, code: 'directory_failed' })
  }
}

/** Binds with the account that searches for users. */
async function bindSearcher(
  { client }: Line,
  { app_dn: dn, app_dn_password: password }: LdapServer,
): Promise<void> {
  if (dn === '') return
  // A bind with a name and an empty password is anonymous, and the search would then fail with a
  // misleading error.
  if (password === '')
    throw badRequest('The account that searches the directory has no password.', {
      code: 'ldap_incomplete',
    })
  await client.bind(dn, password)
}

async function find(
  { client }: Line,
  server: LdapServer,
  filter: Filter,
  sizeLimit: number,
): Promise<Entry[]> {
  const attributes = [server.attribute_for_username, server.attribute_for_mail, 'cn', 'displayName']
  const { searchEntries } = await client.search(server.search_base, {
    scope: 'sub',
    filter,
    attributes,
    sizeLimit,
  })
  return searchEntries
}

/**
 * Returns the only entry of a name. The name is a value of the filter, never part of its text, so
 * it cannot change the filter.
 */
async function findPerson(line: Line, server: LdapServer, user: string): Promise<Entry | null> {
  const { AndFilter, EqualityFilter } = await import('ldapts')
  const own = new EqualityFilter({ attribute: server.attribute_for_username, value: user })
  const further = await parseFilters(server.search_filters)
  const entries = await find(
    line,
    server,
    further ? new AndFilter({ filters: [own, further] }) : own,
    2,
  )
  const [entry] = entries
  if (entry === undefined || entries.length > 1 || entry.dn === '') return null
  const isNamed = valuesOf(entry, server.attribute_for_username).some(
    (name) => name.toLowerCase() === user.toLowerCase(),
  )
  return isNamed ? entry : null
}

function toPerson(entry: Entry, server: LdapServer, user: string): Person {
  const email = emailSchema.safeParse(firstOf(entry, server.attribute_for_mail))
  if (!email.success)
    throw badRequest(
      'The directory has no e-mail address for this account. Ask an administrator.',
      { code: 'no_email' },
    )
  const name = firstOf(entry, 'displayName') || firstOf(entry, 'cn') || user
  return { email: email.data, name: name.slice(0, 200) }
}

/**
 * Returns the user for a name and password, else null. Throws 400 if the entry has no e-mail
 * address, 503 or 504 if the directory cannot be queried.
 */
export const signInToDirectory = (
  server: LdapServer,
  { user, password }: { readonly user: string; readonly password: string },
  signal: AbortSignal,
): Promise<Person | null> =>
  withLine(server, { signal, explain: tellNobody }, async (line) => {
    const { InvalidCredentialsError, NoSuchObjectError } = await import('ldapts')
    await bindSearcher(line, server)
    const entry = await findPerson(line, server, user)
    // An unknown name is tried like any other, so that the response time does not reveal which
    // names exist.
    const dn = entry?.dn ?? `cn=${newId()},${server.search_base}`
    try {
      await line.client.bind(dn, password)
    } catch (error) {
      if (
        entry === null ||
        error instanceof InvalidCredentialsError ||
        error instanceof NoSuchObjectError
      )
        return null
      throw error
    }
    return entry && toPerson(entry, server, user)
  })

/**
 * Returns the number of entries that may sign in, up to a hundred; tests host, certificate, account
 * and search.
 */
export const countPeople = (server: LdapServer, signal: AbortSignal): Promise<number> =>
  withLine(server, { signal, explain: explainFailure }, async (line) => {
    const { PresenceFilter } = await import('ldapts')
    await bindSearcher(line, server)
    const filter =
      (await parseFilters(server.search_filters)) ??
      new PresenceFilter({ attribute: server.attribute_for_username })
    return (await find(line, server, filter, MOST_COUNTED)).length
  })

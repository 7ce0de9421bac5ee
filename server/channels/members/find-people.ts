import { notFound, tooLarge } from '../../lib/errors.ts'
import type { Caller } from '../../lib/http.ts'
import type { ChannelParts } from '../parts.ts'

/**
 * Maximum number of explicit members of a channel; grants open public channels to any number of
 * users.
 */
export const MOST_MEMBERS = 5000
/** Maximum number of users in one conversation, which starts with all of them at once. */
const MOST_TALKING = 100

/** Throws 413 if a conversation has too many users. */
export function requireFewTalking(people: ReadonlySet<string>): void {
  if (people.size > MOST_TALKING)
    throw tooLarge(`A direct conversation may have ${MOST_TALKING} people. Create a group instead.`)
}

interface Named {
  readonly user_ids?: readonly string[] | null
  readonly group_ids?: readonly string[] | null
}

/**
 * Returns the users named directly or through a group they are in now. Throws 404 for unknown
 * accounts, and for groups the caller is not in, because the result would reveal their members.
 */
export async function findPeople(
  { users, groups }: ChannelParts,
  caller: Caller,
  { user_ids, group_ids }: Named,
): Promise<Set<string>> {
  const people = new Set<string>()
  for (const id of user_ids ?? []) {
    if (!(await users.get(id))) throw notFound('One of the accounts to be added does not exist.')
    people.add(id)
  }
  for (const id of group_ids ?? []) {
    if (caller.role !== 'admin' && !(await groups.idsOf(caller.userId)).has(id))
      throw notFound('One of the groups to be added does not exist.')
    await groups.get(id)
    for (const member of await groups.membersOf(id)) if (await users.get(member)) people.add(member)
  }
  if (people.size > MOST_MEMBERS)
    throw tooLarge(`A channel may have ${MOST_MEMBERS} members. Create a public one instead.`)
  return people
}

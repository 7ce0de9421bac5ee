import { nextTurn } from '../lib/turns.ts'
import type { Groups } from './groups.ts'

const MEMBERS_AT_ONCE = 250

interface Changes {
  readonly add?: readonly string[]
  readonly remove?: readonly string[]
}

/**
 * Adds and removes members a few at a time, serving other requests in between. Repeating an
 * interrupted call completes it. Throws 404 for a group deleted meanwhile.
 */
export async function changeManyMembers(
  groups: Groups,
  id: string,
  { add = [], remove = [] }: Changes,
): Promise<void> {
  for (let from = 0; from < Math.max(add.length, remove.length); from += MEMBERS_AT_ONCE) {
    if (from > 0) await nextTurn()
    const end = from + MEMBERS_AT_ONCE
    await groups.changeMembers(id, { add: add.slice(from, end), remove: remove.slice(from, end) })
  }
}

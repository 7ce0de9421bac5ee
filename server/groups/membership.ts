import type { GroupRecord } from './index.ts'
import type { GroupStore } from './store.ts'

/** All groups and who is in them, as they were last read. */
export interface Membership {
  readonly groups: ReadonlyMap<string, GroupRecord>
  /** Groups of a person, by name. */
  idsOf(userId: string): ReadonlySet<string>
  membersOf(groupId: string): ReadonlySet<string>
}

const NOBODY: ReadonlySet<string> = new Set()

function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key)
  if (set) set.add(value)
  else sets.set(key, new Set([value]))
}

export function readMembership(store: GroupStore): Membership {
  const byUser = new Map<string, Set<string>>()
  const byGroup = new Map<string, Set<string>>()
  for (const { group_id, user_id } of store.readMembers()) addTo(byGroup, group_id, user_id)
  const groups = new Map(store.readAll().map((group) => [group.id, group]))
  for (const id of groups.keys())
    for (const userId of byGroup.get(id) ?? NOBODY) addTo(byUser, userId, id)
  return {
    groups,
    idsOf: (userId) => byUser.get(userId) ?? NOBODY,
    membersOf: (groupId) => byGroup.get(groupId) ?? NOBODY,
  }
}

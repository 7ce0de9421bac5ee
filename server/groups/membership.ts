import type { GroupRecord } from './group-record.ts'
import type { GroupStore } from './store.ts'

const NOBODY: ReadonlySet<string> = new Set()
/** More groups than these are read with all others in one statement. */
const FEW = 100

function remember<Value>(
  known: Map<string, Value>,
  key: string,
  read: (key: string) => Value,
): Value {
  const found = known.get(key)
  if (found !== undefined) return found
  const value = read(key)
  known.set(key, value)
  return value
}

const toSet = (ids: readonly string[]): ReadonlySet<string> =>
  ids.length === 0 ? NOBODY : new Set(ids)

/**
 * Groups and who is in them. Each part is read when it is first asked for and kept, so that the
 * first call after a change costs what that call needs and not all groups of everybody.
 */
export class Membership {
  readonly #store: Pick<GroupStore, 'read' | 'readAll' | 'readIdsOf' | 'readMembersOf'>
  readonly #byId = new Map<string, GroupRecord | null>()
  readonly #idsByUser = new Map<string, ReadonlySet<string>>()
  readonly #membersByGroup = new Map<string, ReadonlySet<string>>()
  #all: ReadonlyMap<string, GroupRecord> | undefined

  constructor(store: Pick<GroupStore, 'read' | 'readAll' | 'readIdsOf' | 'readMembersOf'>) {
    this.#store = store
  }

  /** All groups by their ids, in the order of their names. */
  get groups(): ReadonlyMap<string, GroupRecord> {
    return (this.#all ??= new Map(this.#store.readAll().map((group) => [group.id, group])))
  }

  get(groupId: string): GroupRecord | null {
    if (this.#all) return this.#all.get(groupId) ?? null
    return remember(this.#byId, groupId, (id) => this.#store.read(id) ?? null)
  }

  /** Those of some groups that exist, in the order given. */
  some(ids: ReadonlySet<string>): GroupRecord[] {
    const { groups } = ids.size > FEW ? this : { groups: { get: (id: string) => this.get(id) } }
    return [...ids].flatMap((id) => groups.get(id) ?? [])
  }

  /** Groups of a person, by name. */
  idsOf(userId: string): ReadonlySet<string> {
    return remember(this.#idsByUser, userId, (id) => toSet(this.#store.readIdsOf(id)))
  }

  membersOf(groupId: string): ReadonlySet<string> {
    return remember(this.#membersByGroup, groupId, (id) => toSet(this.#store.readMembersOf(id)))
  }
}

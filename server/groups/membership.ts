import { mapInOrder } from '../lib/in-order.ts'
import { inGroups } from '../lib/timing/in-groups.ts'
import type { GroupRecord } from './group-record.ts'
import type { GroupStore } from './store.ts'

type Members = ReadonlySet<string>
type Reading = Pick<
  GroupStore,
  'read' | 'readAll' | 'readIdsOf' | 'readIdsOfSeveral' | 'readMembersOf'
>

const NONE: Members = new Set()
/** More groups than these are read together with all others in one statement. */
const FEW = 100
/** Number of users whose groups are read in one statement. */
const READ_AHEAD = 200

/** Returns a cached value synchronously, else reads and caches it. */
function remember<Value>(
  known: Map<string, Value | Promise<Value>>,
  key: string,
  read: (key: string) => Promise<Value>,
): Value | Promise<Value> {
  const found = known.get(key)
  if (found !== undefined) return found
  const reading = keepResult(known, key, read(key))
  known.set(key, reading)
  return reading
}

async function keepResult<Value>(
  known: Map<string, Value | Promise<Value>>,
  key: string,
  reading: Promise<Value>,
): Promise<Value> {
  try {
    const value = await reading
    known.set(key, value)
    return value
  } catch (error) {
    // A failed read is not cached.
    known.delete(key)
    throw error
  }
}

const toSet = (ids: readonly string[]): ReadonlySet<string> =>
  ids.length === 0 ? NONE : new Set(ids)

/**
 * Groups and their members. Each part is read when it is first needed and cached, so that the first
 * request after a change only reads the parts it needs and not all groups of all users.
 */
export class Membership {
  readonly #store: Reading
  readonly #byId = new Map<string, GroupRecord | null | Promise<GroupRecord | null>>()
  readonly #idsByUser = new Map<string, Members | Promise<Members>>()
  readonly #membersByGroup = new Map<string, Members | Promise<Members>>()
  #all: Promise<ReadonlyMap<string, GroupRecord>> | undefined

  constructor(store: Reading) {
    this.#store = store
  }

  /** Returns all groups by their ids, in the order of their names. */
  all(): Promise<ReadonlyMap<string, GroupRecord>> {
    if (this.#all) return this.#all
    const all = this.#readAll()
    all.catch(() => (this.#all = undefined))
    return (this.#all = all)
  }

  async get(groupId: string): Promise<GroupRecord | null> {
    if (this.#all) return (await this.#all).get(groupId) ?? null
    return remember(this.#byId, groupId, async (id) => (await this.#store.read(id)) ?? null)
  }

  /** Returns those of the given groups that exist, in the given order. */
  async some(ids: ReadonlySet<string>): Promise<GroupRecord[]> {
    if (ids.size > FEW) {
      const groups = await this.all()
      return [...ids].flatMap((id) => groups.get(id) ?? [])
    }
    return (await mapInOrder(ids, (id) => this.get(id))).filter((group) => group !== null)
  }

  /** Returns the ids of the groups of a user, by name. */
  idsOf(userId: string): Members | Promise<Members> {
    return remember(this.#idsByUser, userId, async (id) => toSet(await this.#store.readIdsOf(id)))
  }

  /** Reads the groups of several users into the cache. */
  async readAhead(userIds: readonly string[]): Promise<void> {
    const unknown = userIds.filter((id) => !this.#idsByUser.has(id))
    for (const some of inGroups(unknown, READ_AHEAD)) {
      const found = Map.groupBy(await this.#store.readIdsOfSeveral(some), ({ user_id: id }) => id)
      for (const id of some)
        if (!this.#idsByUser.has(id))
          this.#idsByUser.set(id, toSet((found.get(id) ?? []).map((group) => group.id)))
    }
  }

  membersOf(groupId: string): Members | Promise<Members> {
    return remember(this.#membersByGroup, groupId, async (id) =>
      toSet(await this.#store.readMembersOf(id)),
    )
  }

  async #readAll(): Promise<ReadonlyMap<string, GroupRecord>> {
    return new Map((await this.#store.readAll()).map((group) => [group.id, group]))
  }
}

import { mapInOrder } from '../lib/in-order.ts'
import type { GroupRecord } from './group-record.ts'
import type { GroupStore } from './store.ts'

const NOBODY: ReadonlySet<string> = new Set()
/** More groups than these are read with all others in one statement. */
const FEW = 100

function remember<Value>(
  known: Map<string, Promise<Value>>,
  key: string,
  read: (key: string) => Promise<Value>,
): Promise<Value> {
  const found = known.get(key)
  if (found !== undefined) return found
  const value = read(key)
  known.set(key, value)
  // A read that failed is tried again.
  value.catch(() => known.delete(key))
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
  readonly #byId = new Map<string, Promise<GroupRecord | null>>()
  readonly #idsByUser = new Map<string, Promise<ReadonlySet<string>>>()
  readonly #membersByGroup = new Map<string, Promise<ReadonlySet<string>>>()
  #all: Promise<ReadonlyMap<string, GroupRecord>> | undefined

  constructor(store: Pick<GroupStore, 'read' | 'readAll' | 'readIdsOf' | 'readMembersOf'>) {
    this.#store = store
  }

  /** All groups by their ids, in the order of their names. */
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

  /** Those of some groups that exist, in the order given. */
  async some(ids: ReadonlySet<string>): Promise<GroupRecord[]> {
    if (ids.size > FEW) {
      const groups = await this.all()
      return [...ids].flatMap((id) => groups.get(id) ?? [])
    }
    return (await mapInOrder(ids, (id) => this.get(id))).filter((group) => group !== null)
  }

  /** Groups of a person, by name. */
  idsOf(userId: string): Promise<ReadonlySet<string>> {
    return remember(this.#idsByUser, userId, async (id) => toSet(await this.#store.readIdsOf(id)))
  }

  membersOf(groupId: string): Promise<ReadonlySet<string>> {
    return remember(this.#membersByGroup, groupId, async (id) =>
      toSet(await this.#store.readMembersOf(id)),
    )
  }

  async #readAll(): Promise<ReadonlyMap<string, GroupRecord>> {
    return new Map((await this.#store.readAll()).map((group) => [group.id, group]))
  }
}

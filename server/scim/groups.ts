import { z } from 'zod'
import { isRecord } from '../lib/is-record.ts'
import { notFound } from '../lib/errors.ts'
import { eachInSteps, runInTurns } from '../lib/turns.ts'
import type { GroupRecord } from '../groups/index.ts'
import { fault, taken } from './faults.ts'
import { parseFilter } from './filter.ts'
import type { ScimDependencies } from './index.ts'
import { fromArray, listPage, type ListQuery } from './list-page.ts'
import { applyPatch } from './patch.ts'
import { readResource } from './read-user.ts'
import type { ScimStore } from './store.ts'
import { isShown, toGroupResource, toMember, type Resource, type Shown } from './to-resource.ts'

type Body = Readonly<Record<string, unknown>>

const MOST_MEMBERS = 100_000

const groupSchema = z.object({
  displayname: z.string().trim().min(1).max(200),
  externalid: z.string().trim().max(254).nullish(),
  members: z.array(z.unknown()).max(MOST_MEMBERS).nullish(),
})

/** Groups as provisioning systems see and change them. */
export class ProvisionedGroups {
  readonly #deps: ScimDependencies
  readonly #store: ScimStore

  constructor(deps: ScimDependencies, store: ScimStore) {
    this.#deps = deps
    this.#store = store
  }

  get(id: string, root: string, shown: Shown): Promise<Resource> {
    return this.#toResource(this.#existing(id), root, shown)
  }

  list(query: ListQuery, root: string): Promise<Resource> {
    const filter = query.filter === undefined || query.filter.trim() === '' ? null : parseFilter(query.filter)
    const externalIds = this.#store.groupExternalIds()
    const toComparable = (group: GroupRecord): Resource =>
      toGroupResource(group, { externalId: externalIds.get(group.id) ?? null, members: this.#idsOf(group.id), root })
    const toResource = (group: GroupRecord): Promise<Resource> => this.#toResource(group, root, query)
    return listPage(fromArray(this.#deps.groups.list()), { query, filter, toComparable, toResource })
  }

  create(body: Body, root: string, shown: Shown): Promise<Resource> {
    const { storage, groups } = this.#deps
    const { name, externalId, members } = this.#read(body, new Set())
    const id = storage.transaction(() => {
      this.#requireFree(externalId, null)
      const made = groups.create(null, { name, description: '', permissions: {}, data: {}, meta: {} })
      if (members.length > 0) groups.changeMembers(made.id, { add: members })
      this.#store.putGroup(made.id, externalId)
      return made.id
    })
    return this.get(id, root, shown)
  }

  replace(id: string, body: Body, root: string, shown: Shown): Promise<Resource> {
    return this.#write(this.#existing(id), body, root, shown)
  }

  patch(id: string, body: Body, root: string, shown: Shown): Promise<Resource> {
    const group = this.#existing(id)
    const before = toGroupResource(group, { externalId: this.#store.groupExternalId(id), members: this.#idsOf(id), root })
    return this.#write(group, applyPatch(before, body), root, shown)
  }

  remove(id: string): void {
    this.#deps.groups.remove(this.#existing(id).id)
  }

  #existing(id: string): GroupRecord {
    const group = this.#deps.groups.list().find((each) => each.id === id)
    if (!group) throw notFound('There is no group with this id.')
    return group
  }

  /** The members by their ids alone, which is enough to compare and change them. */
  #idsOf(id: string): Resource[] {
    return [...this.#deps.groups.membersOf(id)].map((value) => ({ value }))
  }

  /** A group may have very many members, so their names are looked up in turns with other work. */
  async #toResource(group: GroupRecord, root: string, shown: Shown): Promise<Resource> {
    const { groups, users } = this.#deps
    const members: Resource[] | null = isShown('members', shown) ? [] : null
    const add = (id: string): void => {
      const user = users.get(id)
      if (user) members?.push(toMember(user, root))
    }
    if (members) await runInTurns(eachInSteps([...groups.membersOf(group.id)], add))
    return toGroupResource(group, { externalId: this.#store.groupExternalId(group.id), members, root })
  }

  /** What is said of a group; those who are in it already need not be looked up. */
  #read(body: Body, current: ReadonlySet<string>): { name: string; externalId: string | null; members: string[] } {
    const { displayname, externalid, members } = readResource(groupSchema, body)
    const ids = new Set((members ?? []).map((member) => (isRecord(member) ? member['value'] : member)))
    const known = (id: unknown): string => (current.has(id as string) ? (id as string) : this.#requireUser(id))
    return { name: displayname, externalId: externalid || null, members: [...ids].map(known) }
  }

  #requireUser(id: unknown): string {
    if (typeof id === 'string' && this.#deps.users.get(id)) return id
    throw fault('invalidValue', `There is no account with the id ${JSON.stringify(id ?? null).slice(0, 200)} among the members.`)
  }

  #requireFree(externalId: string | null, ownId: string | null): void {
    const holder = externalId === null ? null : this.#store.findGroup(externalId)
    if (holder !== null && holder !== ownId) throw taken('Another group has this externalId.')
  }

  #write(group: GroupRecord, body: Body, root: string, shown: Shown): Promise<Resource> {
    const { storage, groups } = this.#deps
    const current = groups.membersOf(group.id)
    const { name, externalId, members } = this.#read(body, current)
    this.#requireFree(externalId, group.id)
    const wanted = new Set(members)
    const add = members.filter((id) => !current.has(id))
    const remove = [...current].filter((id) => !wanted.has(id))
    if (name !== group.name) groups.update(group.id, { name })
    if (add.length > 0 || remove.length > 0) groups.changeMembers(group.id, { add, remove })
    storage.transaction(() => this.#store.putGroup(group.id, externalId))
    return this.get(group.id, root, shown)
  }
}

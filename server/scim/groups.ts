import { z } from 'zod'
import { isRecord } from '../lib/is-record.ts'
import { notFound } from '../lib/errors.ts'
import type { GroupRecord } from '../groups/index.ts'
import { fault, taken } from './faults.ts'
import { parseFilter } from './filter.ts'
import type { ScimDependencies } from './index.ts'
import { listPage, type ListQuery } from './list-page.ts'
import { applyPatch } from './patch.ts'
import { readResource } from './read-user.ts'
import type { ScimStore } from './store.ts'
import { toGroupResource, type Resource } from './to-resource.ts'

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

  get(id: string, root: string): Resource {
    return this.#toResource(this.#existing(id), root)
  }

  list(query: ListQuery, root: string): Promise<Resource> {
    const filter = query.filter === undefined || query.filter.trim() === '' ? null : parseFilter(query.filter)
    const externalIds = this.#store.groupExternalIds()
    const toResource = (group: GroupRecord): Resource =>
      toGroupResource(group, { externalId: externalIds.get(group.id) ?? null, members: this.#membersOf(group.id), root })
    return listPage(this.#deps.groups.list(), { query, filter, toResource })
  }

  create(body: Body, root: string): Resource {
    const { storage, groups } = this.#deps
    const { name, externalId, members } = this.#read(body)
    const id = storage.transaction(() => {
      this.#requireFree(externalId, null)
      const made = groups.create(null, { name, description: '', permissions: {}, data: {}, meta: {} })
      if (members.length > 0) groups.update(made.id, { user_ids: members })
      this.#store.putGroup(made.id, externalId)
      return made.id
    })
    return this.get(id, root)
  }

  replace(id: string, body: Body, root: string): Resource {
    return this.#write(this.#existing(id), body, root)
  }

  patch(id: string, body: Body, root: string): Resource {
    const group = this.#existing(id)
    return this.#write(group, applyPatch(this.#toResource(group, root), body), root)
  }

  remove(id: string): void {
    this.#deps.groups.remove(this.#existing(id).id)
  }

  #existing(id: string): GroupRecord {
    const group = this.#deps.groups.list().find((each) => each.id === id)
    if (!group) throw notFound('There is no group with this id.')
    return group
  }

  #membersOf(id: string) {
    const { groups, users } = this.#deps
    return [...groups.membersOf(id)].map((userId) => users.get(userId)).filter((user) => user !== null)
  }

  #toResource(group: GroupRecord, root: string): Resource {
    return toGroupResource(group, { externalId: this.#store.groupExternalId(group.id), members: this.#membersOf(group.id), root })
  }

  #read(body: Body): { name: string; externalId: string | null; members: string[] } {
    const { displayname, externalid, members } = readResource(groupSchema, body)
    const ids = new Set((members ?? []).map((member) => (isRecord(member) ? member['value'] : member)))
    return { name: displayname, externalId: externalid || null, members: [...ids].map((id) => this.#requireUser(id)) }
  }

  #requireUser(id: unknown): string {
    if (typeof id === 'string' && this.#deps.users.get(id)) return id
    throw fault('invalidValue', `There is no account with the id ${JSON.stringify(id ?? null).slice(0, 200)} among the members.`)
  }

  #requireFree(externalId: string | null, ownId: string | null): void {
    const holder = externalId === null ? null : this.#store.findGroup(externalId)
    if (holder !== null && holder !== ownId) throw taken('Another group has this externalId.')
  }

  #write(group: GroupRecord, body: Body, root: string): Resource {
    const { storage, groups } = this.#deps
    const { name, externalId, members } = this.#read(body)
    this.#requireFree(externalId, group.id)
    const current = groups.membersOf(group.id)
    const wanted = new Set(members)
    groups.update(group.id, { name })
    groups.changeMembers(group.id, {
      add: members.filter((id) => !current.has(id)),
      remove: [...current].filter((id) => !wanted.has(id)),
    })
    storage.transaction(() => this.#store.putGroup(group.id, externalId))
    return this.get(group.id, root)
  }
}

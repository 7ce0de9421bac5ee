import { z } from '#contract/lazy-zod.ts'
import { isRecord } from '../lib/is-record.ts'
import { notFound } from '../lib/errors.ts'
import { eachAwaitedInSteps, runInTurns } from '../lib/turns.ts'
import { changeManyMembers, type GroupRecord } from '../groups/index.ts'
import { fault, taken } from './faults.ts'
import { parseFilter } from './filter.ts'
import type { ScimDependencies } from './scim-dependencies.ts'
import { fromArray, listPage, type ListQuery } from './list-page.ts'
import { patchInSteps } from './patch.ts'
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

  async get(id: string, root: string, shown: Shown): Promise<Resource> {
    return this.#toResource(await this.#existing(id), root, shown)
  }

  async list(query: ListQuery, root: string): Promise<Resource> {
    const filter =
      query.filter === undefined || query.filter.trim() === '' ? null : parseFilter(query.filter)
    const externalIds = await this.#store.groupExternalIds()
    const toComparable = async (group: GroupRecord): Promise<Resource> =>
      toGroupResource(group, {
        externalId: externalIds.get(group.id) ?? null,
        members: await this.#idsOf(group.id),
        root,
      })
    const toResource = (group: GroupRecord): Promise<Resource> =>
      this.#toResource(group, root, query)
    return listPage(fromArray(await this.#deps.groups.list()), {
      query,
      filter,
      toComparable,
      toResource,
    })
  }

  async create(body: Body, root: string, shown: Shown): Promise<Resource> {
    const { storage, groups } = this.#deps
    const { name, externalId, members } = await runInTurns(this.#read(body, new Set()))
    const id = await storage.transaction(async () => {
      await this.#requireFree(externalId, null)
      const made = await groups.create(null, {
        name,
        description: '',
        permissions: {},
        data: {},
        meta: {},
      })
      await this.#store.putGroup(made.id, externalId)
      return made.id
    })
    await changeManyMembers(groups, id, { add: members })
    return this.get(id, root, shown)
  }

  async replace(id: string, body: Body, root: string, shown: Shown): Promise<Resource> {
    const group = await this.#existing(id)
    return this.#write(group, body, { root, shown, current: await this.#deps.groups.membersOf(id) })
  }

  async patch(id: string, body: Body, root: string, shown: Shown): Promise<Resource> {
    const group = await this.#existing(id)
    const before = toGroupResource(group, {
      externalId: await this.#store.groupExternalId(id),
      members: await this.#idsOf(id),
      root,
    })
    const current = await this.#deps.groups.membersOf(id)
    return this.#write(group, await runInTurns(patchInSteps(before, body)), {
      root,
      shown,
      current,
    })
  }

  async remove(id: string): Promise<void> {
    await this.#deps.groups.remove((await this.#existing(id)).id)
  }

  async #existing(id: string): Promise<GroupRecord> {
    const group = (await this.#deps.groups.list()).find((each) => each.id === id)
    if (!group) throw notFound('There is no group with this id.')
    return group
  }

  /** Returns the members by their ids alone, which is enough to compare and change them. */
  async #idsOf(id: string): Promise<Resource[]> {
    return [...(await this.#deps.groups.membersOf(id))].map((value) => ({ value }))
  }

  /**
   * A group may have very many members, so their names are looked up in steps between other work.
   */
  async #toResource(group: GroupRecord, root: string, shown: Shown): Promise<Resource> {
    const { groups, users } = this.#deps
    const members: Resource[] | null = isShown('members', shown) ? [] : null
    const add = async (id: string): Promise<void> => {
      const user = await users.get(id)
      if (user) members?.push(toMember(user, root))
    }
    if (members) {
      const ids = [...(await groups.membersOf(group.id))]
      await users.readAhead(ids)
      await runInTurns(eachAwaitedInSteps(ids, add))
    }
    return toGroupResource(group, {
      externalId: await this.#store.groupExternalId(group.id),
      members,
      root,
    })
  }

  /** Reads the new data of a group; existing members need not be looked up. */
  async *#read(
    body: Body,
    current: ReadonlySet<string>,
  ): AsyncGenerator<void, { name: string; externalId: string | null; members: string[] }> {
    const { displayname, externalid, members } = readResource(groupSchema, body)
    const ids = new Set(
      (members ?? []).map((member) => (isRecord(member) ? member['value'] : member)),
    )
    const added = [...ids].filter((id) => typeof id === 'string' && !current.has(id))
    await this.#deps.users.readAhead(added as string[])
    const known: string[] = []
    yield* eachAwaitedInSteps(ids, async (id) =>
      known.push(current.has(id as string) ? (id as string) : await this.#requireUser(id)),
    )
    return { name: displayname, externalId: externalid || null, members: known }
  }

  async #requireUser(id: unknown): Promise<string> {
    if (typeof id === 'string' && (await this.#deps.users.get(id))) return id
    throw fault(
      'invalidValue',
      `There is no account with the id ${JSON.stringify(id ?? null).slice(0, 200)} among the members.`,
    )
  }

  async #requireFree(externalId: string | null, ownId: string | null): Promise<void> {
    const holder = externalId === null ? null : await this.#store.findGroup(externalId)
    if (holder !== null && holder !== ownId) throw taken('Another group has this externalId.')
  }

  /**
   * `current` contains the members at the start of the change: concurrent changes by others are
   * kept.
   */
  async #write(
    { id, name: formerName }: GroupRecord,
    body: Body,
    { root, shown, current }: { root: string; shown: Shown; current: ReadonlySet<string> },
  ): Promise<Resource> {
    const { storage, groups } = this.#deps
    const { name, externalId, members } = await runInTurns(this.#read(body, current))
    const wanted = new Set(members)
    await storage.transaction(async () => {
      await this.#existing(id)
      await this.#requireFree(externalId, id)
      if (name !== formerName) await groups.update(id, { name })
      await this.#store.putGroup(id, externalId)
    })
    const [add, remove] = [
      members.filter((member) => !current.has(member)),
      [...current].filter((member) => !wanted.has(member)),
    ]
    await changeManyMembers(groups, id, { add, remove })
    return this.get(id, root, shown)
  }
}

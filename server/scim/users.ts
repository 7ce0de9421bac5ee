import { badRequest, forbidden, notFound, ServiceError } from '../lib/errors.ts'
import type { UserRecord } from '../users/index.ts'
import { taken } from './faults.ts'
import { parseFilter, wantedValue, type Filter } from './filter.ts'
import type { ScimDependencies } from './scim-dependencies.ts'
import { fromArray, listPage, type ListQuery, type Source } from './list-page.ts'
import { applyPatch } from './patch.ts'
import { joinName, readUser, type UserInput } from './read-user.ts'
import type { ScimStore } from './store.ts'
import { toUserResource, type Resource } from './to-resource.ts'

type Body = Readonly<Record<string, unknown>>

/** Accounts as provisioning systems see and change them. */
export class ProvisionedUsers {
  readonly #deps: ScimDependencies
  readonly #store: ScimStore

  constructor(deps: ScimDependencies, store: ScimStore) {
    this.#deps = deps
    this.#store = store
  }

  async get(id: string, root: string): Promise<Resource> {
    return this.#toResource(await this.#existing(id), root)
  }

  async list(query: ListQuery, root: string): Promise<Resource> {
    const { users, groups } = this.#deps
    const filter =
      query.filter === undefined || query.filter.trim() === '' ? null : parseFilter(query.filter)
    const direct = filter && (await this.#findDirectly(filter))
    const everybody: Source<UserRecord> = {
      total: () => users.count(),
      read: (offset, limit) => users.slice(offset, limit),
      slices: () => users.slices(),
    }
    // Loaded once when all accounts are listed.
    const names = filter && !direct ? await this.#store.users() : null
    const toResource = async (user: UserRecord): Promise<Resource> => {
      const provisioned = names ? (names.get(user.id) ?? null) : await this.#store.user(user.id)
      return toUserResource(user, { provisioned, groups: await groups.listOf(user.id), root })
    }
    return listPage(direct ? fromArray(direct) : everybody, {
      query,
      filter,
      toComparable: toResource,
      toResource,
    })
  }

  async create(body: Body, root: string): Promise<Resource> {
    const { storage, users } = this.#deps
    // The first account becomes the administrator's, and must not be created by a user directory.
    if ((await users.count()) === 0)
      throw forbidden(
        'This gateway has no administrator yet. Create the first account in a browser, then provision users.',
        {
          code: 'no_account',
        },
      )
    const input = readUser(body)
    const user = await storage.transaction(async () => {
      await this.#requireFree(input, null)
      const made = await asTaken(() =>
        users.create({
          name: input.name,
          email: input.email,
          role: input.active ? 'user' : 'pending',
        }),
      )
      await this.#store.putUser(made.id, {
        external_id: input.externalId,
        user_name: input.userName,
      })
      return made
    })
    return this.#toResource(user, root)
  }

  replace(id: string, body: Body, root: string): Promise<Resource> {
    return this.#change(id, root, () => readUser(body))
  }

  patch(id: string, body: Body, root: string): Promise<Resource> {
    return this.#change(id, root, (before) =>
      readUser(withFollowers(before, applyPatch(before, body))),
    )
  }

  async remove(id: string): Promise<void> {
    await this.#deps.users.remove((await this.#existing(id)).id)
  }

  async #existing(id: string): Promise<UserRecord> {
    const user = await this.#deps.users.get(id)
    if (!user) throw notFound('There is no account with this id.')
    return user
  }

  async #toResource(user: UserRecord, root: string): Promise<Resource> {
    return toUserResource(user, {
      provisioned: await this.#store.user(user.id),
      groups: await this.#deps.groups.listOf(user.id),
      root,
    })
  }

  /**
   * Returns the only account that can match a filter on a unique name; null if all must be
   * examined.
   */
  async #findDirectly(filter: Filter): Promise<UserRecord[] | null> {
    const { users } = this.#deps
    const toList = async (id: string | null): Promise<UserRecord[]> =>
      [id === null ? null : await users.get(id)].filter((user) => user !== null)
    const userName = wantedValue(filter, 'username')
    if (userName !== null) {
      const byName = await toList(await this.#store.findUser('user_name', userName))
      const byEmail = await users.findByEmail(userName.trim().toLowerCase())
      return byName.length > 0 || !byEmail ? byName : [byEmail]
    }
    const externalId = wantedValue(filter, 'externalid')
    if (externalId !== null) return toList(await this.#store.findUser('external_id', externalId))
    const id = wantedValue(filter, 'id')
    return id === null ? null : await toList(id)
  }

  async #requireFree({ userName, externalId }: UserInput, ownId: string | null): Promise<void> {
    const isFree = (id: string | null): boolean => id === null || id === ownId
    if (
      !isFree(await this.#store.findUser('user_name', userName)) ||
      !isFree(await this.#findByAddressName(userName))
    )
      throw taken('Another account has this userName.')
    if (externalId !== null && !isFree(await this.#store.findUser('external_id', externalId)))
      throw taken('Another account has this externalId.')
  }

  /** Returns the account whose userName is its e-mail address, because none was provisioned. */
  async #findByAddressName(userName: string): Promise<string | null> {
    const user = await this.#deps.users.findByEmail(userName.toLowerCase())
    return user && !(await this.#store.user(user.id)) ? user.id : null
  }

  /** Works on the state in the writing transaction, so that no change undoes another. */
  async #change(
    id: string,
    root: string,
    toInput: (before: Resource) => UserInput,
  ): Promise<Resource> {
    const changed = await this.#deps.storage.transaction(async () => {
      const user = await this.#existing(id)
      return this.#write(user, toInput(await this.#toResource(user, root)))
    })
    return this.#toResource(changed, root)
  }

  /** Must be called within a transaction. */
  async #write(user: UserRecord, input: UserInput): Promise<UserRecord> {
    const { users } = this.#deps
    const role =
      input.active === (user.role !== 'pending') ? user.role : input.active ? 'user' : 'pending'
    await this.#requireFree(input, user.id)
    const isChanged = input.name !== user.name || input.email !== user.email || role !== user.role
    const changed = isChanged
      ? await asTaken(() => users.update(user.id, { name: input.name, email: input.email, role }))
      : user
    await this.#store.putUser(user.id, {
      external_id: input.externalId,
      user_name: input.userName,
    })
    return changed
  }
}

/** Converts the same refusals to errors of the protocol. */
async function asTaken<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    if (error.code === 'email_taken') throw taken('Another account has this e-mail address.')
    if (error.status === 400) throw badRequest(error.message, { code: 'invalidValue' })
    throw error
  }
}

const isSame = (left: unknown, right: unknown): boolean =>
  JSON.stringify(left) === JSON.stringify(right)

/**
 * A user has one name and one email address here, which several attributes represent: those that a
 * change did not name follow the one it did.
 */
function withFollowers(before: Resource, after: Resource): Resource {
  const name = after['name'] as Record<string, unknown> | undefined
  const isNameNew =
    !isSame(before['name'], name) && isSame(before['displayName'], after['displayName'])
  const formatted = name?.['formatted']
  const displayName = isNameNew
    ? isSame((before['name'] as Resource)['formatted'], formatted)
      ? joinName(name)
      : formatted
    : after['displayName']
  const [email] = before['emails'] as { value: string }[]
  const isAddressName =
    before['userName'] === email?.value &&
    isSame(before['emails'], after['emails']) &&
    /@/.test(String(after['userName']))
  return {
    ...after,
    displayName,
    ...(isAddressName && { emails: [{ value: after['userName'], primary: true }] }),
  }
}

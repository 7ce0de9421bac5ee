import { mapInOrder, flatMapInOrder } from '../../lib/in-order.ts'
import { z } from '#contract/lazy-zod.ts'
import type { Caller } from '../../lib/http.ts'
import { isActive, mayIdentify, toUserInfo, type UserRecord } from '../../users/index.ts'
import type { HostParts } from './dependencies.ts'
import { readParams, requirePerson, type HostMethod } from './method.ts'

const MOST_LISTED = 1000
const PAGE = 30

/**
 * Returns an account as visible to this caller: settings only of the caller's own account, of other
 * users only public data.
 */
async function toHostUser(
  { users }: PeopleParts,
  caller: Caller,
  user: UserRecord,
): Promise<Record<string, unknown>> {
  const isCaller = user.id === caller.userId
  const { id, name, email, role, profile_image_url } = await toUserInfo(users, user, caller)
  const shown = { id, name, email, role, profile_image_url, is_caller: isCaller }
  const { last_active_at, created_at, updated_at } = user
  if (!mayIdentify(caller, user)) return shown
  const settings = isCaller
    ? { settings: await users.settings(id), info: await users.profiles.info(id) }
    : {}
  return { ...shown, last_active_at, created_at, updated_at, ...settings }
}

type PeopleParts = Pick<HostParts, 'users' | 'groups'>

/**
 * Returns true if the search for people would find an account for this caller: it finds no guests,
 * and is closed to them.
 */
const mayFind = ({ users }: PeopleParts, caller: Caller, user: UserRecord): boolean =>
  caller.role === 'admin' ||
  user.id === caller.userId ||
  !(user.isGuest || users.cached.isGuest(caller.userId))

const getSchema = z.object({
  id: z.string().max(256).optional(),
  email: z.string().max(500).optional(),
  first: z.boolean().optional(),
})
const listSchema = z.object({
  query: z.string().max(200).nullish(),
  skip: z.int().min(0).nullish(),
  limit: z.int().nullish(),
  ids: z.array(z.string().max(256)).max(MOST_LISTED).optional(),
})
const groupsSchema = z.object({ user_id: z.string().max(256).optional() })

async function listUsers(
  { users }: PeopleParts,
  caller: Caller,
  { query, skip, limit }: Omit<z.output<typeof listSchema>, 'ids'>,
) {
  const first = skip ?? 0
  const wanted =
    limit === null || limit === undefined || limit < 0 ? MOST_LISTED : Math.min(limit, MOST_LISTED)
  const found: UserRecord[] = []
  let total = 0
  for (let page = Math.floor(first / PAGE) + 1; found.length < (first % PAGE) + wanted; page += 1) {
    const part = await users.list({
      page,
      query: query ?? '',
      wholeEmail: caller.role !== 'admin',
      order: 'created_at',
      direction: 'asc',
    })
    total = part.total
    found.push(...part.users)
    if (part.users.length < PAGE) break
  }
  return { users: found.slice(first % PAGE, (first % PAGE) + wanted), total }
}

export const peopleMethods = (parts: PeopleParts): Readonly<Record<string, HostMethod>> => ({
  'users.get': async (request) => {
    const caller = requirePerson(request)
    const { id, email, first } = readParams(getSchema, request)
    const { users } = parts
    const user =
      id !== undefined
        ? await users.get(id)
        : email !== undefined
          ? await users.findByEmail(email)
          : first
            ? await users.first()
            : null
    return user && mayFind(parts, caller, user) ? toHostUser(parts, caller, user) : null
  },
  'users.list': async (request) => {
    const caller = requirePerson(request)
    const { ids, ...wanted } = readParams(listSchema, request)
    const own = parts.users.cached.isGuest(caller.userId) ? [caller.userId] : undefined
    const chosen = ids ?? own
    const named =
      chosen &&
      (await flatMapInOrder(chosen, async (id) => {
        const user = await parts.users.get(id)
        return user && mayFind(parts, caller, user) ? user : []
      }))
    const found = named
      ? { users: named, total: named.length }
      : await listUsers(parts, caller, wanted)
    return {
      users: await mapInOrder(found.users, (user) => toHostUser(parts, caller, user)),
      total: found.total,
    }
  },
  'users.active': async (request) => {
    const caller = requirePerson(request)
    const active = (await parts.users.all()).filter(isActive)
    return active
      .map(({ id }) => id)
      .filter((id) => caller.role === 'admin' || id === caller.userId)
  },
  'groups.of': async (request) => {
    const caller = requirePerson(request)
    const { user_id: userId = caller.userId } = readParams(groupsSchema, request)
    if (userId !== caller.userId && caller.role !== 'admin') return []
    // The permissions of a group are visible to administrators only.
    return (await parts.groups.listOf(userId)).map(({ permissions, data, meta, ...group }) => ({
      ...group,
      ...(caller.role === 'admin' && { permissions, data, meta }),
    }))
  },
  permissions: (request) => parts.groups.permissions.of(requirePerson(request)),
})

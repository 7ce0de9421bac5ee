import { call, endpoints } from '../../api/client.ts'
import type { Principal, PrincipalLoaders } from '../../ui/access/access-picker.tsx'

const groupsOf = async (signal?: AbortSignal): Promise<readonly Principal[]> =>
  (await call(endpoints.groups.list, {}, { signal })).map(({ id, name, description }) => ({
    type: 'group',
    id,
    name,
    detail: description,
  }))

const nameOfUser = async (id: string): Promise<readonly [string, string]> => {
  const { name } = await call(endpoints.users.info, { params: { user_id: id } })
  return [`user:${id}`, name]
}

/** Users and groups of this gateway, to share things with. */
export const principals: PrincipalLoaders = {
  async search(query, signal) {
    const [groups, { users }] = await Promise.all([
      groupsOf(signal),
      call(endpoints.users.search, { query: { query: query || undefined } }, { signal }),
    ])
    const wanted = query.toLowerCase()
    return [
      ...groups.filter(({ name }) => name.toLowerCase().includes(wanted)),
      // Only administrators receive the email addresses of others; a user who searched for a
      // complete address already knows whose it is.
      ...users.map(({ id, name, email }): Principal => ({
        type: 'user',
        id,
        name,
        detail: email || (users.length === 1 && query.includes('@') ? query : ''),
      })),
    ]
  },
  async describe(wanted) {
    const groups = wanted.some(({ type }) => type === 'group') ? await groupsOf() : []
    const people = await Promise.allSettled(
      wanted.filter(({ type }) => type === 'user').map(({ id }) => nameOfUser(id)),
    )
    return new Map([
      ...groups.map(({ id, name }) => [`group:${id}`, name] as const),
      ...people.filter((each) => each.status === 'fulfilled').map(({ value }) => value),
    ])
  },
}

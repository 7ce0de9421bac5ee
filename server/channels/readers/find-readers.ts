import { mapInOrder, filterInOrder } from '../../lib/in-order.ts'
import type { ChannelMemberPerson, MemberListQuery } from '#contract/channels.ts'
import type { Caller } from '../../lib/http.ts'
import { toUserInfo, type ListUsers } from '../../users/index.ts'
import type { ChannelParts } from '../parts.ts'
import type { Standing } from '../rights.ts'

/**
 * Returns the audience of a channel: its members and, for a public one, those with a grant.
 * Administrators, who may read every public channel, are not listed for that reason alone.
 */
export async function findReaders(
  { users, access, groups }: ChannelParts,
  { channel, members }: Standing,
) {
  /** Null for all users. */
  async function findIds(): Promise<string[] | null> {
    if (channel.type !== null) return [...members.keys()]
    const ids = new Set([channel.user_id, ...members.keys()])
    for (const { principal_type, principal_id } of await access.grantsOf('channel', channel.id)) {
      if (principal_id === '*') return null
      if (principal_type === 'user') ids.add(principal_id)
      else for (const id of await groups.membersOf(principal_id)) ids.add(id)
    }
    return [...ids]
  }
  const only = await findIds()
  return {
    count: async (): Promise<number> =>
      only === null
        ? await users.count()
        : (await filterInOrder(only, async (id) => (await users.get(id)) !== null)).length,
    list: (options: ListUsers) => users.list(only === null ? options : { ...options, only }),
  }
}

/** Fields hidden from the caller must not be revealed by sorting or by partial matches either. */
function toOptions(
  caller: Caller,
  { query = '', order_by, direction, page }: MemberListQuery,
): ListUsers {
  const order = order_by || 'name'
  const isHidden = caller.role !== 'admin' && (order === 'email' || order === 'role')
  return {
    query,
    page,
    order: isHidden ? 'name' : order,
    direction: direction || 'asc',
    ...(caller.role !== 'admin' && { wholeEmail: true }),
  }
}

/** Returns a page of the audience of a channel. */
export async function listReaders(
  parts: ChannelParts,
  caller: Caller,
  standing: Standing,
  query: MemberListQuery,
): Promise<{ users: ChannelMemberPerson[]; total: number }> {
  const found = await (await findReaders(parts, standing)).list(toOptions(caller, query))
  const { channel, members } = standing
  const users = await mapInOrder(found.users, async (user) => ({
    ...(await toUserInfo(parts.users, user, caller)),
    is_manager:
      members.get(user.id) === 'manager' || (channel.type === null && channel.user_id === user.id),
  }))
  return { users, total: found.total }
}

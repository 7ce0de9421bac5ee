import { flatMapInOrder, mapInOrder } from '../lib/in-order.ts'
import type { Channel, ChannelPerson, ListedChannel, OpenChannel } from '#contract/channels.ts'
import type { Caller } from '../lib/http.ts'
import { isActive } from '../users/index.ts'
import type { ChannelRow, MemberRow, Reading } from './channel-store.ts'
import { toNanoseconds, toNanosecondsOrNull } from './messages/clock.ts'
import { findReaders } from './readers/find-readers.ts'
import type { ChannelParts } from './parts.ts'
import type { Standing } from './rights.ts'

/** Number of users a header shows; member lists are paged. */
const PEOPLE_SHOWN = 200

const parse = (text: string | null): Record<string, unknown> | null =>
  text === null ? null : (JSON.parse(text) as Record<string, unknown>)

export async function toChannel({ access }: ChannelParts, row: ChannelRow): Promise<Channel> {
  const { id, user_id, type, name, description, is_private, updated_by } = row
  return {
    id,
    user_id,
    type,
    name,
    description,
    is_private: is_private === 1,
    data: parse(row.data),
    meta: parse(row.meta),
    ...(await access.describe('channel', id)),
    created_at: toNanoseconds(row.created_at),
    updated_at: toNanoseconds(row.updated_at),
    updated_by,
    archived_at: null,
    archived_by: null,
    deleted_at: null,
    deleted_by: null,
  }
}

const EMPTY_STATUS = { status_emoji: null, status_message: null, status_expires_at: null }

/** Returns the people of several conversations, by channel; accounts are read together. */
async function toPeople(
  { users }: ChannelParts,
  conversations: ReadonlyMap<string, readonly string[]>,
): Promise<ReadonlyMap<string, ChannelPerson[]>> {
  const shown = [...conversations].map(
    ([channelId, ids]) => [channelId, ids.slice(0, PEOPLE_SHOWN)] as const,
  )
  const ids = [...new Set(shown.flatMap(([, each]) => each))]
  await users.readAhead(ids)
  const profiles = await users.profiles.several(ids)
  const people = await mapInOrder(shown, async ([channelId, each]) => {
    return [channelId, await describePeople(users, each, profiles)] as const
  })
  return new Map(people)
}

function describePeople(
  users: ChannelParts['users'],
  ids: readonly string[],
  profiles: Awaited<ReturnType<ChannelParts['users']['profiles']['several']>>,
): Promise<ChannelPerson[]> {
  return flatMapInOrder(ids, async (id) => {
    const user = await users.get(id)
    if (!user) return []
    const { status_emoji, status_message, status_expires_at } = profiles.get(id) ?? EMPTY_STATUS
    const { name, profile_image_url } = user
    return [
      {
        id,
        name,
        profile_image_url,
        is_active: isActive(user),
        status_emoji,
        status_message,
        status_expires_at,
      },
    ]
  })
}

/**
 * Returns the time from which messages count as unread: the read mark, or else the time the user
 * joined the channel or, failing that, the time the account was created.
 */
export async function readSince(
  { store, users }: ChannelParts,
  { userId }: Pick<Caller, 'userId'>,
  channelId: string,
) {
  const mark = await store.mark(channelId, userId)
  if (mark !== null) return { mark, since: mark }
  const member = await store.member(channelId, userId)
  return {
    mark,
    since: member?.joined_at ?? ((await users.get(userId))?.created_at ?? 0) * 1_000_000,
  }
}

/** Returns the time from which a user who read nothing and joined nothing has unread messages. */
const accountSince = async (
  { users }: ChannelParts,
  { userId }: Pick<Caller, 'userId'>,
): Promise<number> => ((await users.get(userId))?.created_at ?? 0) * 1_000_000

const toReading = (
  caller: Caller,
  standing: Standing,
  { mark, messages, mentions, last_message_at }: Reading,
): Omit<ListedChannel, keyof Channel | 'user_ids' | 'users'> => ({
  last_message_at: toNanosecondsOrNull(last_message_at),
  last_read_at: toNanosecondsOrNull(mark),
  unread_count: messages,
  mention_count: mentions,
  is_manager: standing.isManager || caller.role === 'admin',
  write_access: standing.mayWrite,
})

/**
 * Returns the users of conversations by channel, including those who hid one; other channels are
 * missing.
 */
async function peopleOf(
  { store }: ChannelParts,
  channels: readonly ChannelRow[],
): Promise<ReadonlyMap<string, string[]>> {
  const ids = channels.filter(({ type }) => type === 'dm').map(({ id }) => id)
  const members =
    ids.length === 0 ? new Map<string, MemberRow[]>() : await store.membersOfSeveral(ids)
  return new Map(ids.map((id) => [id, (members.get(id) ?? []).map(({ user_id }) => user_id)]))
}

/** Yields channels of a list in their order; what they show is read together. */
export async function* toListed(
  parts: ChannelParts,
  caller: Caller,
  channels: readonly ChannelRow[],
): AsyncGenerator<ListedChannel> {
  const ids = channels.map(({ id }) => id)
  await parts.members.readAhead(ids)
  const before = await accountSince(parts, caller)
  const readings = await parts.store.readings(caller.userId, ids, before)
  const people = await peopleOf(parts, channels)
  const described = await toPeople(parts, people)
  for (const channel of channels) {
    const standing = await parts.rights.standing(caller, channel)
    yield {
      ...(await toChannel(parts, channel)),
      user_ids: people.get(channel.id) ?? null,
      users: described.get(channel.id) ?? null,
      ...toReading(caller, standing, readings.get(channel.id)!),
    }
  }
}

export async function toOpen(
  parts: ChannelParts,
  caller: Caller,
  standing: Standing,
): Promise<OpenChannel> {
  const { channel, members } = standing
  const { id, type } = channel
  const people =
    type === 'group' ? new Map([[id, [...members.keys()]]]) : await peopleOf(parts, [channel])
  const ids = people.get(id) ?? null
  const before = await accountSince(parts, caller)
  const reading = (await parts.store.readings(caller.userId, [id], before)).get(id)!
  return {
    ...(await toChannel(parts, channel)),
    user_ids: ids,
    users: (await toPeople(parts, people)).get(id) ?? null,
    ...toReading(caller, standing, reading),
    user_count: ids ? ids.length : await (await findReaders(parts, standing)).count(),
    first_unread_id: await parts.store.firstUnread(id, caller.userId, reading.since),
  }
}

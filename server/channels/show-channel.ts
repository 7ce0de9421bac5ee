import { flatMapInOrder } from '../lib/in-order.ts'
import type { Channel, ChannelPerson, ListedChannel, OpenChannel } from '#contract/channels.ts'
import type { Caller } from '../lib/http.ts'
import { isActive } from '../users/index.ts'
import type { ChannelRow } from './channel-store.ts'
import { toNanoseconds, toNanosecondsOrNull } from './messages/clock.ts'
import { findReaders } from './readers/find-readers.ts'
import type { ChannelParts } from './parts.ts'
import type { Standing } from './rights.ts'

/** Number of users a header shows; member lists are paged. */
const PEOPLE_SHOWN = 200

const parse = (text: string | null): Record<string, unknown> | null =>
  text === null ? null : (JSON.parse(text) as Record<string, unknown>)

export async function toChannel(
  { access }: Pick<ChannelParts, 'access'>,
  row: ChannelRow,
): Promise<Channel> {
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

function toPeople(
  { users }: Pick<ChannelParts, 'users'>,
  ids: readonly string[],
): Promise<ChannelPerson[]> {
  return flatMapInOrder(ids.slice(0, PEOPLE_SHOWN), async (id) => {
    const user = await users.get(id)
    if (!user) return []
    const { status_emoji, status_message, status_expires_at } = await users.profiles.read(id)
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

type Reading = Omit<ListedChannel, keyof Channel | 'user_ids' | 'users'>

async function toReading(
  parts: ChannelParts,
  caller: Caller,
  standing: Standing,
  since: Awaited<ReturnType<typeof readSince>>,
): Promise<Reading> {
  const { id } = standing.channel
  const unread = await parts.store.unread(id, caller.userId, since.since)
  return {
    last_message_at: toNanosecondsOrNull(await parts.store.lastMessageAt(id)),
    last_read_at: toNanosecondsOrNull(since.mark),
    unread_count: unread.messages,
    mention_count: unread.mentions,
    is_manager: standing.isManager || caller.role === 'admin',
    write_access: standing.mayWrite,
  }
}

/** Returns the users of a conversation, including those who hid it. */
const peopleOf = async (
  { store }: Pick<ChannelParts, 'store'>,
  channelId: string,
): Promise<string[]> => (await store.members(channelId)).map(({ user_id }) => user_id)

export async function toListed(
  parts: ChannelParts,
  caller: Caller,
  standing: Standing,
): Promise<ListedChannel> {
  const { channel } = standing
  const ids = channel.type === 'dm' ? await peopleOf(parts, channel.id) : null
  const reading = await toReading(
    parts,
    caller,
    standing,
    await readSince(parts, caller, channel.id),
  )
  return {
    ...(await toChannel(parts, channel)),
    user_ids: ids,
    users: ids && (await toPeople(parts, ids)),
    ...reading,
  }
}

export async function toOpen(
  parts: ChannelParts,
  caller: Caller,
  standing: Standing,
): Promise<OpenChannel> {
  const { channel, members } = standing
  const ids =
    channel.type === 'dm'
      ? await peopleOf(parts, channel.id)
      : channel.type === 'group'
        ? [...members.keys()]
        : null
  const since = await readSince(parts, caller, channel.id)
  return {
    ...(await toChannel(parts, channel)),
    user_ids: ids,
    users: ids && (await toPeople(parts, ids)),
    ...(await toReading(parts, caller, standing, since)),
    user_count: ids ? ids.length : await (await findReaders(parts, standing)).count(),
    first_unread_id: await parts.store.firstUnread(channel.id, caller.userId, since.since),
  }
}

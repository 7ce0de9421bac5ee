import { mapInOrder } from '../lib/in-order.ts'
import { createHash } from 'node:crypto'
import type {
  Channel,
  ChannelInput,
  ChannelUpdate,
  ListedChannel,
  OpenChannel,
} from '#contract/channels.ts'
import { notFound, unauthorized } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { newId } from '../lib/ids.ts'
import { nextTurn, SLICE_MILLISECONDS } from '../lib/turns.ts'
import type { ChannelRow, MemberRow } from './channel-store.ts'
import { toNanoseconds } from './messages/clock.ts'
import { findPeople, requireFewTalking } from './members/find-people.ts'
import { actorOf, toStoredFields, type ChannelParts } from './parts.ts'
import { taskPlaceOf } from './messages/to-message.ts'
import { readSince, toChannel, toListed, toOpen } from './show-channel.ts'

type Grants = Pick<ChannelInput, 'access_grants' | 'access_control'>

/** A private channel keeps no grants to all users. */
function toGrants({ access_grants, access_control }: Grants, isPrivate: boolean): Grants {
  if (!isPrivate) return { access_grants, access_control }
  return {
    access_grants: access_grants?.filter(({ principal_id }) => principal_id !== '*'),
    ...(access_control !== undefined && { access_control: access_control ?? {} }),
  }
}

/** Ensures that the same users share a single conversation. */
const toPeopleKey = (people: ReadonlySet<string>): string =>
  createHash('sha256')
    .update([...people].toSorted().join('\n'))
    .digest('hex')

const without = (some: ReadonlySet<string>, others: ReadonlySet<string>): string[] =>
  [...some].filter((id) => !others.has(id))

interface NewMember {
  readonly channelId: string
  readonly userId: string
  readonly role: MemberRow['role']
  readonly invitedBy: string | null
  readonly now: number
}

export const toMemberRow = ({ channelId, userId, role, invitedBy, now }: NewMember): MemberRow => ({
  id: newId(),
  channel_id: channelId,
  user_id: userId,
  role,
  is_active: 1,
  invited_at: invitedBy === null ? null : now,
  invited_by: invitedBy,
  joined_at: now,
  left_at: null,
  created_at: now,
  updated_at: now,
})

/** The message behind or before which a reader's read mark is set. */
interface ReadPlace {
  readonly message_id?: string | null
  readonly before_message_id?: string | null
}

const MEMBERS_AT_ONCE = 250

/** Stores memberships in small batches, so that other requests are served in between. */
export async function putMembers(
  { members, store }: ChannelParts,
  channelId: string,
  rows: readonly MemberRow[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += MEMBERS_AT_ONCE) {
    await store.putMembers(rows.slice(from, from + MEMBERS_AT_ONCE))
    members.forget(channelId)
    await nextTurn()
  }
}

/** Creates, changes, deletes and lists channels. */
export class StoredChannels {
  readonly #parts: ChannelParts

  constructor(parts: ChannelParts) {
    this.#parts = parts
  }

  async #seenBy(caller: Caller): Promise<ChannelRow[]> {
    const { access, store } = this.#parts
    const grantedIds = await access.grantedIds(caller, 'channel', 'read')
    return store.list({ userId: caller.userId, seesAll: caller.role === 'admin', grantedIds })
  }

  async list(caller: Caller): Promise<ListedChannel[]> {
    const listed: ListedChannel[] = []
    let end = performance.now() + SLICE_MILLISECONDS
    for await (const channel of toListed(this.#parts, caller, await this.#seenBy(caller))) {
      listed.push(channel)
      if (performance.now() < end) continue
      await nextTurn()
      end = performance.now() + SLICE_MILLISECONDS
    }
    const timeOf = ({ last_message_at, created_at }: ListedChannel): number =>
      last_message_at ?? created_at
    return listed.toSorted((one, other) => {
      if (one.type === null && other.type === null) return one.name.localeCompare(other.name)
      return one.type === null ? -1 : other.type === null ? 1 : timeOf(other) - timeOf(one)
    })
  }

  async listAll(caller: Caller): Promise<Channel[]> {
    const rows =
      caller.role === 'admin' ? await this.#parts.store.listAll() : await this.#seenBy(caller)
    return await mapInOrder(rows, (row) => toChannel(this.#parts, row))
  }

  async get(caller: Caller, id: string): Promise<OpenChannel> {
    return toOpen(this.#parts, caller, await this.#parts.rights.require(caller, id, 'read'))
  }

  /** Returns the conversation with a user; starts one if there is none. */
  async ofUser(caller: Caller, userId: string): Promise<OpenChannel> {
    if (!(await this.#parts.users.get(userId))) throw notFound('There is no such account.')
    return this.create(caller, { type: 'dm', user_ids: [userId] })
  }

  async create(caller: Caller, input: ChannelInput): Promise<OpenChannel> {
    const { access, audience, clock, store } = this.#parts
    const type = input.type || null
    if (type === null && caller.role !== 'admin') {
      throw unauthorized(
        'Only administrators can create public channels. Create a group instead, or ask an administrator.',
      )
    }
    const people = await findPeople(this.#parts, caller, input)
    people.add(caller.userId)
    if (type === 'dm') requireFewTalking(people)
    const now = clock.now()
    const row: ChannelRow = {
      id: newId(),
      user_id: caller.userId,
      type,
      name: (input.name ?? '').toLowerCase(),
      description: input.description ?? null,
      is_private: input.is_private ? 1 : 0,
      data: toStoredFields(input.data, 'The channel'),
      meta: toStoredFields(input.meta, 'The channel'),
      people: type === 'dm' ? toPeopleKey(people) : null,
      created_at: now,
      updated_at: now,
      updated_by: null,
      deleted_at: null,
    }
    // The creator comes first.
    const members = [...new Set([caller.userId, ...people])].map((userId) => {
      const isMaker = userId === caller.userId
      return toMemberRow({
        channelId: row.id,
        userId,
        role: isMaker ? 'manager' : null,
        invitedBy: isMaker ? null : caller.userId,
        now,
      })
    })
    // Grants determine who may read a public channel; its creator needs none.
    const named =
      type === null ? members.filter(({ user_id }) => user_id !== caller.userId) : members
    const isMaker = ({ role }: MemberRow): boolean => role === 'manager'
    const first = type === 'dm' ? named : named.filter(isMaker)
    if (!(await store.insert(row, first))) return this.#reopen(caller, row.people!)
    await putMembers(this.#parts, row.id, named.slice(first.length))
    if (type === null)
      await access.replace(
        caller,
        { type: 'channel', id: row.id },
        toGrants(input, row.is_private === 1),
      )
    await audience.tell(row, { type: 'channel:created', data: {} }, { actor: actorOf(caller) })
    return this.get(caller, row.id)
  }

  /** Restores a conversation to the caller's list. */
  async #reopen(caller: Caller, people: string): Promise<OpenChannel> {
    const { clock, members, store } = this.#parts
    const channel = await store.findByPeople(people)
    if (!channel) throw notFound('The conversation has been deleted. Try again.')
    const changed = await store.setActive(channel.id, [caller.userId], true, clock.now())
    if (changed > 0) members.forget(channel.id)
    return this.get(caller, channel.id)
  }

  async update(caller: Caller, id: string, input: ChannelUpdate): Promise<Channel> {
    const { audience, rights, storage, store } = this.#parts
    const { channel } = await rights.require(caller, id, 'manage')
    const before = await audience.readers(channel)
    await storage.transaction(async () => {
      const current = await store.get(id)
      if (!current) throw notFound('There is no such channel.')
      await this.#write(caller, current, input)
    })
    await this.#tellChange(caller, channel, before)
    return toChannel(this.#parts, (await store.get(id)) ?? channel)
  }

  /** Must be called within a transaction, with the channel as read there. */
  async #write(caller: Caller, channel: ChannelRow, input: ChannelUpdate): Promise<void> {
    const { access, clock, store } = this.#parts
    const { id } = channel
    const isPrivate = input.is_private ?? channel.is_private === 1
    await store.update(id, {
      name: input.name ?? channel.name,
      description: input.description ?? null,
      is_private: isPrivate ? 1 : 0,
      data: toStoredFields(input.data, 'The channel'),
      meta: toStoredFields(input.meta, 'The channel'),
      updated_at: clock.now(),
      updated_by: caller.userId,
    })
    if (channel.type === null) {
      const given =
        input.access_grants || input.access_control !== undefined
          ? input
          : { access_grants: await access.grantsOf('channel', id) }
      await access.replace(caller, { type: 'channel', id }, toGrants(given, isPrivate))
    }
  }

  /**
   * Those who lose access receive this as their last event; those who gain access are notified of
   * the channel.
   */
  async #tellChange(
    caller: Caller,
    channel: ChannelRow,
    before: ReadonlySet<string>,
  ): Promise<void> {
    const { audience } = this.#parts
    const about = { actor: actorOf(caller) }
    const after = await audience.readers(channel)
    audience.tellPeople(
      channel.id,
      without(before, after),
      { type: 'channel:removed', data: {} },
      about,
    )
    audience.tellPeople(
      channel.id,
      without(after, before),
      { type: 'channel:created', data: {} },
      about,
    )
    audience.tellPeople(
      channel.id,
      [...after].filter((id) => before.has(id)),
      { type: 'channel:updated', data: {} },
      about,
    )
  }

  async remove(caller: Caller, id: string): Promise<void> {
    const { access, audience, clock, members, rights, storage, store, tasks } = this.#parts
    const { channel } = await rights.require(caller, id, 'manage')
    const readers = await audience.readers(channel)
    const isRemoved = await storage.transaction(async () => {
      if (!(await store.remove(channel, clock.now()))) return false
      await access.remove('channel', id)
      return true
    })
    if (!isRemoved) return
    members.forget(id)
    tasks.stopChat(taskPlaceOf(id), 'deleted')
    audience.tellPeople(
      id,
      readers,
      { type: 'channel:deleted', data: {} },
      { actor: actorOf(caller) },
    )
  }

  /** Moves the caller's read mark behind a message, before one, or behind all messages. */
  async read(caller: Caller, id: string, { message_id, before_message_id }: ReadPlace = {}) {
    const { audience, clock, messages, rights, store } = this.#parts
    await rights.require(caller, id, 'read')
    const messageId = before_message_id ?? message_id ?? null
    const message = messageId === null ? null : await messages.get(id, messageId)
    if (messageId !== null && !message) throw notFound('There is no such message in this channel.')
    // No two messages have the same time.
    const time = message
      ? message.created_at - (before_message_id == null ? 0 : 1)
      : // The clock of another gateway may be ahead.
        Math.max(clock.now(), await messages.lastTimeIn(id))
    await store.setMark(id, caller.userId, time)
    const { since } = await readSince(this.#parts, caller, id)
    const unread = await store.unread(id, caller.userId, since)
    const mark = {
      last_read_at: toNanoseconds(since),
      unread_count: unread.messages,
      mention_count: unread.mentions,
    }
    audience.tellPeople(
      id,
      [caller.userId],
      { type: 'channel:read', data: mark },
      { actor: actorOf(caller) },
    )
    return mark
  }
}

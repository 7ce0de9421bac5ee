import type { z } from 'zod'
import type {
  ChannelMember,
  ChannelMemberPerson,
  channelEndpoints,
  MemberListQuery,
} from '#contract/channels.ts'
import { badRequest, notFound, tooLarge } from '../../lib/errors.ts'
import type { Caller } from '../../lib/http.ts'
import type { MemberRow } from '../channel-store.ts'
import { toNanoseconds, toNanosecondsOrNull } from '../messages/clock.ts'
import { findPeople, MOST_MEMBERS } from './find-people.ts'
import { listReaders } from '../readers/find-readers.ts'
import { putMembers, toMemberRow } from '../stored-channels.ts'
import { actorOf, type ChannelParts } from '../parts.ts'
import { taskPlaceOf } from '../messages/to-message.ts'
import type { Standing } from '../rights.ts'

type PeopleToAdd = z.output<(typeof channelEndpoints.addMembers)['body']>

const toMember = (row: MemberRow, mark: number | null): ChannelMember => ({
  id: row.id,
  channel_id: row.channel_id,
  user_id: row.user_id,
  role: row.role,
  status: 'joined',
  is_active: row.is_active === 1,
  is_channel_muted: false,
  is_channel_pinned: false,
  data: null,
  meta: null,
  invited_at: toNanosecondsOrNull(row.invited_at),
  invited_by: row.invited_by,
  joined_at: toNanoseconds(row.joined_at),
  left_at: toNanosecondsOrNull(row.left_at),
  last_read_at: toNanosecondsOrNull(mark),
  created_at: toNanoseconds(row.created_at),
  updated_at: toNanoseconds(row.updated_at),
})

/** Throws 400 if a group would have no manager left after these demotions. */
function requireManagerLeft(members: Standing['members'], demoted: readonly string[]): void {
  for (const [userId, role] of members) if (role === 'manager' && !demoted.includes(userId)) return
  throw badRequest('A group needs a manager. Make someone else a manager first.')
}

/** Members of a channel. */
export class Memberships {
  readonly #parts: ChannelParts

  constructor(parts: ChannelParts) {
    this.#parts = parts
  }

  async list(
    caller: Caller,
    id: string,
    query: MemberListQuery,
  ): Promise<{ users: ChannelMemberPerson[]; total: number }> {
    const standing = await this.#parts.rights.require(caller, id, 'read')
    return listReaders(this.#parts, caller, standing, query)
  }

  /**
   * The members of a conversation cannot change, because its messages were meant for these users
   * only.
   */
  async #requireChangeable(caller: Caller, id: string): Promise<Standing> {
    const standing = await this.#parts.rights.require(caller, id, 'manage')
    if (standing.channel.type !== 'dm') return standing
    throw badRequest('People cannot be added to a direct conversation. Create a group instead.')
  }

  async add(caller: Caller, id: string, { role, ...named }: PeopleToAdd): Promise<ChannelMember[]> {
    const { audience, clock, store } = this.#parts
    const { channel, members: before } = await this.#requireChangeable(caller, id)
    const now = clock.now()
    const people = await findPeople(this.#parts, caller, named)
    if (new Set([...people, ...before.keys()]).size > MOST_MEMBERS) {
      throw tooLarge(`A channel may have ${MOST_MEMBERS} members. Create a public one instead.`)
    }
    const added = [...people].filter((userId) => !before.has(userId))
    const changed =
      role === undefined
        ? []
        : [...people].filter((userId) => before.has(userId) && before.get(userId) !== role)
    if (channel.type === 'group' && role === null) requireManagerLeft(before, changed)
    const rows = added.map((userId) =>
      toMemberRow({ channelId: id, userId, role: role ?? null, invitedBy: caller.userId, now }),
    )
    for (const userId of changed) {
      const row = await store.member(id, userId)
      if (row) rows.push({ ...row, role: role ?? null, updated_at: now })
    }
    await putMembers(this.#parts, id, rows)
    // Two managers may have demoted each other at the same time.
    if (role === null) await this.#appointManagers(id)
    const about = { actor: actorOf(caller) }
    await audience.tell(channel, { type: 'channel:created', data: {} }, { ...about, only: added })
    await audience.tell(channel, { type: 'channel:updated', data: {} }, { ...about, only: changed })
    if (added.length > 0)
      await audience.tell(channel, { type: 'channel:members', data: { added, removed: [] } }, about)
    return this.#show(id, [...added, ...changed])
  }

  async #show(id: string, userIds: readonly string[]): Promise<ChannelMember[]> {
    const { store } = this.#parts
    const marks = await store.marksOf(id, userIds)
    const wanted = new Set(userIds)
    const rows = await store.members(id)
    return rows
      .filter(({ user_id }) => wanted.has(user_id))
      .map((row) => toMember(row, marks.get(row.user_id) ?? null))
  }

  async remove(caller: Caller, id: string, userIds: readonly string[]): Promise<number> {
    const { members, store } = this.#parts
    const standing = await this.#requireChangeable(caller, id)
    const removed = await store.removeMembers(id, userIds)
    members.forget(id)
    await this.#follow(caller, standing, removed)
    return removed.length
  }

  /** Leaves a channel, or restores a conversation to the list. */
  async setActive(caller: Caller, id: string, isActive: boolean): Promise<void> {
    const { clock, members, rights, store } = this.#parts
    const channel = await store.get(id)
    const row = channel && (await store.member(id, caller.userId))
    if (!channel || !row || (row.is_active === 0 && channel.type !== 'dm'))
      throw notFound('There is no such channel.')
    const standing = await rights.standing(caller, channel)
    const changed = await store.setActive(id, [caller.userId], isActive, clock.now())
    members.forget(id)
    if (changed === 0 || channel.type === 'dm') return
    await this.#follow(caller, standing, [caller.userId])
  }

  async #appointManagers(id: string): Promise<void> {
    const { clock, members, store } = this.#parts
    if ((await store.appointManagers(clock.now(), id)).length > 0) members.forget(id)
  }

  /** Cleans up after members were removed. */
  async #follow(caller: Caller, { channel }: Standing, removed: readonly string[]): Promise<void> {
    if (removed.length === 0) return
    const { audience, tasks } = this.#parts
    for (const task of tasks.ofChat(taskPlaceOf(channel.id)))
      if (removed.includes(task.userId)) tasks.stop(task.id, 'user')
    await this.#appointManagers(channel.id)
    const about = { actor: actorOf(caller) }
    const readers = await audience.readers(channel)
    // They may still have a grant to a public channel.
    const out = removed.filter((userId) => !readers.has(userId))
    audience.tellPeople(channel.id, out, { type: 'channel:removed', data: {} }, about)
    audience.tellPeople(
      channel.id,
      readers,
      { type: 'channel:members', data: { added: [], removed: [...removed] } },
      about,
    )
  }
}

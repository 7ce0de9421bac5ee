import type { Access } from '../access/index.ts'
import type { Groups } from '../groups/index.ts'
import { forbidden, notFound } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import type { ChannelsSettings } from './channels-settings.ts'
import type { Users } from '../users/index.ts'
import type { ChannelRow, ChannelStore } from './channel-store.ts'
import type { MemberIndex, Members } from './members/members.ts'

type Person = Pick<Caller, 'userId' | 'role'>
type Place = Pick<ChannelRow, 'id' | 'user_id' | 'type'>

/** Permissions of a user in a channel. */
export interface Standing {
  readonly channel: ChannelRow
  readonly members: Members
  /** True for managers among the members; administrators also manage every channel. */
  readonly isManager: boolean
  readonly mayRead: boolean
  readonly mayWrite: boolean
}

interface RightsDependencies {
  readonly store: ChannelStore
  readonly members: MemberIndex
  readonly access: Access
  readonly users: Users
  readonly groups: Groups
  readonly settings: ChannelsSettings
}

const missing = () => notFound('There is no such channel.')

/** Determines who may read, write in and manage channels. */
export class Rights {
  readonly #deps: RightsDependencies

  constructor(deps: RightsDependencies) {
    this.#deps = deps
  }

  /**
   * Access to public channels follows grants; groups and conversations are open only to their
   * members.
   */
  async allows(
    person: Person,
    { id, user_id, type }: Place,
    options: { isMember: boolean; permission: 'read' | 'write' },
  ): Promise<boolean> {
    if (options.isMember) return true
    return (
      type === null &&
      (await this.#deps.access.allows(
        person,
        { type: 'channel', id, ownerId: user_id },
        options.permission,
      ))
    )
  }

  /** Reports whether a user may use channels at all. */
  async isPermitted(person: Person): Promise<boolean> {
    const { settings, groups } = this.#deps
    return (
      settings.get('ENABLE_CHANNELS') &&
      person.role !== 'pending' &&
      (await groups.allows(person, 'features.channels'))
    )
  }

  async standing(person: Person, channel: ChannelRow): Promise<Standing> {
    const members = await this.#deps.members.of(channel.id)
    const isMember = members.has(person.userId)
    const maker = channel.type === null && channel.user_id === person.userId
    return {
      channel,
      members,
      isManager:
        maker ||
        members.get(person.userId) === 'manager' ||
        (channel.type === null && person.role === 'admin'),
      mayRead: await this.allows(person, channel, { isMember, permission: 'read' }),
      mayWrite: await this.allows(person, channel, { isMember, permission: 'write' }),
    }
  }

  /**
   * Throws 404 for a channel the caller may not see, 403 for an operation that is not permitted.
   */
  async require(caller: Person, id: string, need: 'read' | 'write' | 'manage'): Promise<Standing> {
    const channel = await this.#deps.store.get(id)
    if (!channel) throw missing()
    const standing = await this.standing(caller, channel)
    if (need === 'manage') {
      if (standing.isManager || caller.role === 'admin') return standing
      throw standing.mayRead
        ? forbidden('Only managers of the channel can do this.', { code: 'not_permitted' })
        : missing()
    }
    if (!standing.mayRead) {
      if (caller.role !== 'admin') throw missing()
      throw forbidden(
        'You are not in this channel. An administrator can add members to it, also themselves.',
        { code: 'not_a_member' },
      )
    }
    if (need === 'write' && !standing.mayWrite) {
      throw forbidden(
        'You can read this channel but not post in it. Ask its managers for access.',
        {
          code: 'not_permitted',
        },
      )
    }
    return standing
  }

  /**
   * Yields those of the given users who may read a channel now, using only data available without
   * waiting.
   */
  async *readers(
    channel: Place,
    members: Members,
    userIds: Iterable<string>,
  ): AsyncGenerator<string> {
    const ids = [...userIds]
    await this.#deps.users.readAhead(ids)
    for (const userId of ids) {
      const user = await this.#deps.users.get(userId)
      if (!user) continue
      const person = { userId, role: user.role }
      const isMember = members.has(userId)
      if (
        (await this.isPermitted(person)) &&
        (await this.allows(person, channel, { isMember, permission: 'read' }))
      )
        yield userId
    }
  }
}

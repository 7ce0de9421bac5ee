import type { Access } from '../access/index.ts'
import type { Groups } from '../groups/index.ts'
import { forbidden, notFound } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import type { ChannelsSettings } from './channels-settings.ts'
import type { Users } from '../users/index.ts'
import type { ChannelRow, ChannelStore } from './channel-store.ts'
import type { MemberIndex, Members } from './members.ts'

type Person = Pick<Caller, 'userId' | 'role'>
type Place = Pick<ChannelRow, 'id' | 'user_id' | 'type'>

/** What somebody may do in a channel. */
export interface Standing {
  readonly channel: ChannelRow
  readonly members: Members
  readonly isMember: boolean
  /** Manages it as one who is in it; administrators manage every channel besides. */
  readonly isManager: boolean
  readonly mayRead: boolean
  readonly mayWrite: boolean
}

interface RightsDependencies {
  readonly store: Pick<ChannelStore, 'get'>
  readonly members: MemberIndex
  readonly access: Pick<Access, 'allows'>
  readonly users: Pick<Users, 'get'>
  readonly groups: Pick<Groups, 'allows'>
  readonly settings: ChannelsSettings
}

const missing = () => notFound('There is no such channel.')

/** Who may read, write in and manage channels. */
export class Rights {
  readonly #deps: RightsDependencies

  constructor(deps: RightsDependencies) {
    this.#deps = deps
  }

  /**
   * Public channels go by grants; into groups and conversations only those who are in them may
   * look.
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

  /** Whether channels are there for somebody at all. */
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
      isMember,
      isManager:
        maker ||
        members.get(person.userId) === 'manager' ||
        (channel.type === null && person.role === 'admin'),
      mayRead: await this.allows(person, channel, { isMember, permission: 'read' }),
      mayWrite: await this.allows(person, channel, { isMember, permission: 'write' }),
    }
  }

  /** 404 for a channel the caller may not see, 403 for what is only refused. */
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

  /** Those among some people who may read a channel now, by what is known without waiting. */
  async *readers(
    channel: Place,
    members: Members,
    userIds: Iterable<string>,
  ): AsyncGenerator<string> {
    for (const userId of userIds) {
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

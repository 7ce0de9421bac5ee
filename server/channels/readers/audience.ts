import type { ChannelActor, ChannelEvent } from '#contract/channel-events.ts'
import type { Events } from '../../events/index.ts'
import type { ChannelRow } from '../channel-store.ts'
import type { MemberIndex, Members } from '../members/members.ts'
import type { Rights } from '../rights.ts'

/** Actor of an event and the message it concerns. */
export interface About {
  readonly actor: ChannelActor
  readonly messageId?: string | null
}

type Place = Pick<ChannelRow, 'id' | 'user_id' | 'type'>

/**
 * Sends events of channels to those who may read them at that moment. There is no joining: the
 * readers are determined anew immediately before a frame is sent, so that a change of members,
 * grants, groups or permissions takes effect from the next frame on.
 */
export class Audience {
  readonly #events: Pick<Events, 'emitToAll' | 'connected'>
  readonly #members: MemberIndex
  readonly #rights: Rights

  constructor(
    events: Pick<Events, 'emitToAll' | 'connected'>,
    members: MemberIndex,
    rights: Rights,
  ) {
    this.#events = events
    this.#members = members
    this.#rights = rights
  }

  /** Sends to all readers of the channel, or to those among `only` who may read it. */
  async tell(
    channel: Place,
    data: ChannelEvent,
    about: About & { readonly only?: Iterable<string>; readonly except?: string },
  ): Promise<void> {
    const members = await this.#current(channel.id)
    const readers = new Set(
      await Array.fromAsync(
        this.#rights.readers(channel, members, about.only ?? this.#candidates(channel, members)),
      ),
    )
    if (about.except !== undefined) readers.delete(about.except)
    this.tellPeople(channel.id, readers, data, about)
  }

  /** Sends to these users regardless of their permissions. */
  tellPeople(
    channelId: string,
    userIds: Iterable<string>,
    data: ChannelEvent,
    { actor, messageId = null }: About,
  ): void {
    this.#events.emitToAll(userIds, {
      channel_id: channelId,
      message_id: messageId,
      user: actor,
      data,
    })
  }

  /** Returns the connected users who may read a channel. */
  async readers(channel: Place): Promise<Set<string>> {
    const members = await this.#current(channel.id)
    return new Set(
      await Array.fromAsync(
        this.#rights.readers(channel, members, this.#candidates(channel, members)),
      ),
    )
  }

  #candidates({ type }: Place, members: Members): Iterable<string> {
    return type === null ? this.#events.connected() : members.keys()
  }

  /** Resolves with the memberships, current in this very microtask. */
  async #current(channelId: string): Promise<Members> {
    let members = this.#members.peek(channelId)
    while (members === null) {
      await this.#members.of(channelId)
      members = this.#members.peek(channelId)
    }
    return members
  }
}

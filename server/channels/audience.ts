import type { ChannelActor, ChannelEvent } from '#contract/channel-events.ts'
import type { Events } from '../events/index.ts'
import type { ChannelRow } from './channel-store.ts'
import type { MemberIndex, Members } from './members.ts'
import type { Rights } from './rights.ts'

/** Who did what is told, and which message it is about. */
export interface About {
  readonly actor: ChannelActor
  readonly messageId?: string | null
}

type Place = Pick<ChannelRow, 'id' | 'user_id' | 'type'>

/**
 * Tells of channels whoever may read them at that moment. Nobody joins anything: with the last step
 * before a frame is sent its readers are found anew, so that a change of members, grants, groups or
 * permissions counts from the next frame on.
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

  /** To everybody in the channel, or to those among `only` who may read it. */
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

  /** To these people, whatever they may read. */
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

  /** Who of those with a window may read a channel. */
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

  /** The memberships as they are in this very step. */
  async #current(channelId: string): Promise<Members> {
    let members = this.#members.peek(channelId)
    while (members === null) {
      await this.#members.of(channelId)
      members = this.#members.peek(channelId)
    }
    return members
  }
}

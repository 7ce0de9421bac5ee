import type { Channel } from '#contract/channels.ts'
import { someInOrder } from '../lib/in-order.ts'
import type { Route } from '../lib/http.ts'
import { Answers } from './messages/answers.ts'
import { StoredChannels } from './stored-channels.ts'
import { Memberships } from './members/memberships.ts'
import { ChannelWebhooks } from './webhooks/channel-webhooks.ts'
import { Messages } from './messages/messages.ts'
import { createChannelParts, type ChannelParts, type ChannelsDependencies } from './parts.ts'
import { IncomingMessages } from './webhooks/incoming-messages.ts'
import { createChannelRoutes } from './routes.ts'
import { Search } from './messages/search.ts'
import { toChannel } from './show-channel.ts'
import { Signals } from './readers/signals.ts'

export type { ChannelsDependencies } from './parts.ts'

/** Time after which every other gateway has reported the answers it writes. */
const OTHERS_TOLD_MILLISECONDS = 10_000

/** The file domain, which is built later. */
interface FileDomain {
  addReadRule(rule: (userId: string, fileId: string) => Promise<boolean>): void
  onRemoved(listener: (fileId: string) => Promise<void>): void
}

/**
 * Channels, where users talk with each other and with models, based on the tables of
 * `0033-channels`. Access to public channels follows grants; access to groups and direct
 * conversations follows membership. Everything is stored first and then sent to the sockets of
 * those who may read it at that moment.
 */
export class Channels {
  readonly #parts: ChannelParts
  readonly #answers: Answers
  readonly routes: readonly Route[]

  private constructor(parts: ChannelParts, dependencies: ChannelsDependencies) {
    this.#parts = parts
    const stored = new StoredChannels(parts)
    const answers = (this.#answers = new Answers(parts))
    const signals = new Signals(parts, stored)
    this.routes = createChannelRoutes({
      stored,
      memberships: new Memberships(parts),
      messages: new Messages(parts, (...given) => answers.begin(...given)),
      search: new Search(parts),
      webhooks: new ChannelWebhooks(parts),
      incoming: new IncomingMessages(parts),
    })
    dependencies.storage.onOthersChange(['channel', 'channel_member'], (ids) => {
      if (ids === null) parts.members.forgetAll()
      else for (const id of ids) parts.members.forget(id)
    })
    dependencies.events.onChannelSignal((...given) => signals.take(...given))
    dependencies.users.onRemoved(async () => this.#followDeletion())
  }

  /** Initialises the message clock from the last stored message. */
  static async open(dependencies: ChannelsDependencies): Promise<Channels> {
    return new Channels(await createChannelParts(dependencies), dependencies)
  }

  /**
   * Lets readers of a channel read the files attached in it; removes deleted files from messages.
   */
  follow(files: FileDomain): void {
    files.addReadRule((userId, fileId) => this.#sharesFile(userId, fileId))
    files.onRemoved(async (fileId) => {
      const { log, messages } = this.#parts
      try {
        await messages.removeFile(fileId)
      } catch (error) {
        log.error({ error }, 'a deleted file is still listed in messages')
      }
    })
  }

  /** Returns a channel as its readers see it; null once it is deleted. */
  async describe(id: string): Promise<Channel | null> {
    const row = await this.#parts.store.get(id)
    return row && toChannel(this.#parts, row)
  }

  /**
   * Ends answers that the previous process left unfinished, and removes channels without members.
   * Beside other gateways it waits until they have reported the answers they write.
   */
  resume(): void {
    const { live, log } = this.#parts
    live?.replicas.onGone(() => void this.#endUnfinished())
    const hasOthers = live?.replicas.isAlone === false
    if (hasOthers) setTimeout(() => void this.#endUnfinished(), OTHERS_TOLD_MILLISECONDS).unref()
    void (hasOthers ? Promise.resolve() : this.#endUnfinished())
      .then(() => this.#tidy())
      .catch((error: unknown) =>
        log.error({ error }, 'channels left by the previous process could not be cleaned up'),
      )
  }

  async #endUnfinished(): Promise<void> {
    try {
      await this.#answers.endUnfinished()
    } catch (error) {
      this.#parts.log.error({ error }, 'unfinished answers were not ended')
    }
  }

  async #sharesFile(userId: string, fileId: string): Promise<boolean> {
    const { messages, rights, users } = this.#parts
    const user = await users.get(userId)
    if (!user || !(await rights.isPermitted({ userId, role: user.role }))) return false
    return await someInOrder(await messages.channelsWithFile(fileId, userId), (channel) =>
      rights.allows({ userId, role: user.role }, channel, {
        isMember: channel.is_member === 1,
        permission: 'read',
      }),
    )
  }

  /** Called when an account is deleted, and again when everything others saw of it is deleted. */
  #followDeletion(): void {
    this.#parts.members.forgetAll()
    this.#tidy().catch((error: unknown) =>
      this.#parts.log.error({ error }, 'channels could not be cleaned up after a deletion'),
    )
  }

  /**
   * Appoints managers in groups without one; removes conversations and groups that have lost their
   * last member.
   */
  async #tidy(): Promise<void> {
    const { clock, members, store } = this.#parts
    const now = clock.now()
    for (const id of await store.appointManagers(now)) members.forget(id)
    for (const channel of await store.abandoned()) await store.remove(channel, now)
  }
}

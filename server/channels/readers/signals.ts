import type { ChannelSignal } from '#contract/channel-events.ts'
import type { Caller } from '../../lib/http.ts'
import { notFound, ServiceError } from '../../lib/errors.ts'
import { RateWindow } from '../../lib/timing/rate-window.ts'
import { KeyedLines } from '../../lib/timing/keyed-lines.ts'
import { shareWindow } from '../../live/index.ts'
import type { StoredChannels } from '../stored-channels.ts'
import { actorOf, type ChannelParts } from '../parts.ts'

/**
 * Minimum time between two typing events of a user in one place; they are sent to all readers of
 * the channel.
 */
const TYPING_MILLISECONDS = 1000
const MOST_TYPING = 10_000

/** Channel events that clients send over the socket. */
export class Signals {
  readonly #parts: ChannelParts
  readonly #stored: StoredChannels
  /** Limits the typing events of a user across all channels and threads. */
  readonly #notes = new RateWindow({ most: 30, seconds: 10 })
  /**
   * Time of a user's last typing event per channel and thread, and whether the user is still
   * typing.
   */
  readonly #typed = new Map<string, { at: number; holds: boolean }>()

  /** Signals by user and channel. */
  readonly #lines = new KeyedLines()

  constructor(parts: ChannelParts, stored: StoredChannels) {
    this.#parts = parts
    this.#stored = stored
    shareWindow(parts.live, 'channel-signals', this.#notes)
  }

  /**
   * Resolves with an error message for a signal that is refused. Signals of a user in a channel are
   * taken one after the other, in the order they were sent: readers would otherwise see a user type
   * who has stopped.
   */
  take(caller: Caller, channelId: string, signal: ChannelSignal): Promise<string | null> {
    return this.#lines.run(`${caller.userId} ${channelId}`, () =>
      this.#take(caller, channelId, signal),
    )
  }

  async #take(caller: Caller, channelId: string, signal: ChannelSignal): Promise<string | null> {
    // A socket reveals no more than an API call would.
    if (!(await this.#parts.rights.isPermitted(caller))) return 'There is no such channel.'
    try {
      if (signal.type === 'last_read_at') await this.#stored.read(caller, channelId)
      else await this.#type(caller, channelId, signal)
      return null
    } catch (error) {
      if (error instanceof ServiceError) return error.message
      this.#parts.log.error({ error }, 'a channel signal of a client could not be processed')
      return 'This could not be done. Try again.'
    }
  }

  async #type(
    caller: Caller,
    channelId: string,
    { data, message_id = null }: Extract<ChannelSignal, { type: 'typing' }>,
  ): Promise<void> {
    const typing = data?.typing ?? true
    if (!this.#isNews(`${caller.userId} ${channelId} ${message_id ?? ''}`, typing)) return
    this.#notes.require(caller.userId, 'You began and stopped typing too often. Wait a moment.')
    this.#notes.count(caller.userId)
    const { channel } = await this.#parts.rights.require(caller, channelId, 'write')
    if (message_id != null && !(await this.#parts.messages.get(channelId, message_id)))
      throw notFound('There is no such thread in this channel.')
    await this.#parts.audience.tell(
      channel,
      { type: 'typing', data: { typing, message_id: message_id ?? null } },
      { actor: actorOf(caller), messageId: message_id ?? null, except: caller.userId },
    )
  }

  /** Recorded before any await, because several signals may arrive together. */
  #isNews(key: string, typing: boolean): boolean {
    const now = performance.now()
    const last = this.#typed.get(key)
    if (!typing) {
      if (!last?.holds) return false
      this.#typed.set(key, { ...last, holds: false })
      return true
    }
    if (last?.holds && now - last.at < TYPING_MILLISECONDS) return false
    if (this.#typed.size >= MOST_TYPING) this.#typed.clear()
    this.#typed.set(key, { at: now, holds: true })
    return true
  }
}

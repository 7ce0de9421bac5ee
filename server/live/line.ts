import type { Logger } from '../lib/logger.ts'
import { within } from '../lib/timing/within.ts'
import { connectRedis, type Redis, type RedisPlace } from './connect-redis.ts'
import { SharedCounters } from './shared-counters.ts'

/** Receives a message of another gateway, and the name of that gateway. */
export type Hear = (said: unknown, from: string) => void

/** Maximum time any operation waits for Redis. */
const LONGEST_WAIT_MILLISECONDS = 1000

/**
 * Immediate messages between gateways over Redis, which stores none of them. The messages of one
 * gateway about a topic reach the others in order, each once, or not at all while Redis is
 * unavailable.
 */
export class Line {
  readonly #self: string
  readonly #prefix: string
  readonly #log: Logger
  readonly #speaker: Redis
  readonly #listener: Redis
  readonly #heard = new Map<string, (text: string) => void>()
  /** Topics to which Redis has not been subscribed yet. */
  readonly #missing = new Set<string>()
  readonly #onUp: (() => void)[] = []
  #isClosed = false
  readonly counters: SharedCounters

  private constructor(
    clients: readonly [Redis, Redis],
    { self, prefix, log }: { self: string; prefix: string; log: Logger },
  ) {
    const [speaker, listener] = clients
    this.#speaker = speaker
    this.#listener = listener
    this.#self = self
    this.#prefix = prefix
    this.#log = log
    this.counters = new SharedCounters(speaker, prefix)
    let wasUp = true
    const follow = (): void => {
      if (this.#isClosed || this.isUp === wasUp) return
      wasUp = this.isUp
      if (!wasUp) {
        log.warn('Redis does not respond; messages between gateways are lost')
        return
      }
      log.info('Redis responds again')
      for (const topic of this.#missing) void this.#subscribe(topic)
      for (const tell of this.#onUp) tell()
    }
    for (const client of clients)
      for (const event of ['ready', 'error', 'end', 'reconnecting'] as const)
        client.on(event, follow)
  }

  /** Throws a `StartError` if Redis cannot be reached. `prefix` separates unrelated gateways. */
  static async open(
    place: RedisPlace & { readonly self: string; readonly prefix: string },
  ): Promise<Line> {
    const speaker = await connectRedis(place)
    try {
      return new Line([speaker, await connectRedis(place)], place)
    } catch (error) {
      speaker.destroy()
      throw error
    }
  }

  /** True if messages reach the others. */
  get isUp(): boolean {
    return this.#speaker.isReady && this.#listener.isReady
  }

  /** Sends a message to the other gateways without waiting for it. */
  tell(topic: string, said: unknown): void {
    void this.deliver(topic, said)
  }

  /**
   * Sends a message to the other gateways and resolves once Redis has passed it on to them; it
   * never rejects, and resolves within a second in any case.
   */
  async deliver(topic: string, said: unknown): Promise<void> {
    if (!this.#speaker.isReady) return
    const sent = this.#speaker.publish(this.#prefix + topic, JSON.stringify([this.#self, said]))
    await within(sent, LONGEST_WAIT_MILLISECONDS).catch(() => undefined)
  }

  /**
   * Subscribes to messages of the others, which arrive once this has settled; it settles within a
   * second in any case. A gateway that hears itself too gets the messages of all about this topic
   * in the order in which everyone gets them.
   */
  async hear(
    topic: string,
    hear: Hear,
    { hearsItself = false }: { hearsItself?: boolean } = {},
  ): Promise<void> {
    this.#heard.set(topic, (text) => this.#take(topic, text, { hear, hearsItself }))
    this.#missing.add(topic)
    if (this.#listener.isReady) await this.#subscribe(topic)
  }

  stopHearing(topic: string): void {
    const take = this.#heard.get(topic)
    this.#heard.delete(topic)
    this.#missing.delete(topic)
    if (take && this.#listener.isReady)
      this.#listener.unsubscribe(this.#prefix + topic, take).catch(() => undefined)
  }

  /** Registers a callback for when messages arrive again after an interruption. */
  onUp(tell: () => void): void {
    this.#onUp.push(tell)
  }

  close(): void {
    this.#isClosed = true
    for (const client of [this.#speaker, this.#listener]) if (client.isOpen) client.destroy()
  }

  async #subscribe(topic: string): Promise<void> {
    const take = this.#heard.get(topic)
    if (!take) return
    try {
      await within(
        // A late subscription is repeated with this function, so that no message arrives twice.
        this.#listener.subscribe(this.#prefix + topic, take),
        LONGEST_WAIT_MILLISECONDS,
      )
      this.#missing.delete(topic)
    } catch (error) {
      this.#log.debug({ error }, 'a topic cannot be heard yet')
    }
  }

  #take(
    topic: string,
    text: string,
    { hear, hearsItself }: { hear: Hear; hearsItself: boolean },
  ): void {
    try {
      const [from, said] = JSON.parse(text) as [string, unknown]
      if (hearsItself || from !== this.#self) hear(said, from)
    } catch (error) {
      this.#log.warn({ error, topic }, 'a message from another gateway could not be processed')
    }
  }
}

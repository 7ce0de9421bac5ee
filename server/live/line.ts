import type { Logger } from '../lib/logger.ts'
import { within } from '../lib/within.ts'
import { connectRedis, type Redis, type RedisPlace } from './connect-redis.ts'
import { SharedCounters } from './shared-counters.ts'

/** Takes what another gateway said, and which it was. */
export type Hear = (said: unknown, from: string) => void

/** Nobody waits longer for Redis. */
const LONGEST_WAIT_MILLISECONDS = 1000

/**
 * What gateways say to each other at once, over Redis: nothing of it is kept there. What one says
 * about a topic is heard by the others in the order it was said, each once, or not at all while Redis
 * is away.
 */
export class Line {
  readonly #self: string
  readonly #prefix: string
  readonly #log: Logger
  readonly #speaker: Redis
  readonly #listener: Redis
  readonly #heard = new Map<string, (text: string) => void>()
  /** Topics that Redis does not know of yet. */
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
        log.warn('Redis does not answer; gateways do not hear each other')
        return
      }
      log.info('Redis is there again')
      for (const topic of this.#missing) void this.#subscribe(topic)
      for (const tell of this.#onUp) tell()
    }
    for (const client of clients)
      for (const event of ['ready', 'error', 'end', 'reconnecting'] as const)
        client.on(event, follow)
  }

  /** Throws a `StartError` when Redis cannot be reached. `prefix` keeps gateways of others apart. */
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

  /** Whether others hear what is said. */
  get isUp(): boolean {
    return this.#speaker.isReady && this.#listener.isReady
  }

  /** Says something to the other gateways; nobody waits for it. */
  tell(topic: string, said: unknown): void {
    if (!this.#speaker.isReady) return
    this.#speaker
      .publish(this.#prefix + topic, JSON.stringify([this.#self, said]))
      .catch(() => undefined)
  }

  /** Hears what others say from when this settles on, which it does within a second in any case. */
  async hear(topic: string, hear: Hear): Promise<void> {
    this.#heard.set(topic, (text) => this.#take(topic, text, hear))
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

  /** Calls back whenever others hear again after a time in which they did not. */
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
        // The same function again where it was too late, so that nothing is heard twice.
        this.#listener.subscribe(this.#prefix + topic, take),
        LONGEST_WAIT_MILLISECONDS,
      )
      this.#missing.delete(topic)
    } catch (error) {
      this.#log.debug({ error }, 'a topic cannot be heard yet')
    }
  }

  #take(topic: string, text: string, hear: Hear): void {
    try {
      const [from, said] = JSON.parse(text) as [string, unknown]
      if (from !== this.#self) hear(said, from)
    } catch (error) {
      this.#log.warn({ error, topic }, 'what another gateway said cannot be taken')
    }
  }
}

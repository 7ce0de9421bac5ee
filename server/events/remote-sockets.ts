import { newId } from '../lib/ids.ts'
import { SharedEntries, type Live } from '../live/index.ts'
import type { AnswerPlace, AskedCall, ChannelFrame, UserEvent } from './other-sockets.ts'
import type { AnswerWait } from './pending-calls.ts'

/** Socket as known to all gateways. */
interface Presence {
  readonly userId: string
  /** True if it is a focused window of the UI; null for an API client. */
  readonly focused: boolean | null
}

/** Messages between gateways about one user. */
type SaidOfUser =
  | { readonly kind: 'event'; readonly event: UserEvent }
  | { readonly kind: 'event-to'; readonly session: string; readonly event: UserEvent }
  | { readonly kind: 'begun' | 'over'; readonly place: AnswerPlace }

interface SaidOfChannel {
  readonly readers: readonly string[]
  readonly event: ChannelFrame
}

/** Messages to one gateway about a call to one of its windows, or about one of its own calls. */
type SaidOfCall =
  | {
      readonly kind: 'ask'
      readonly id: string
      readonly session: string
      readonly userId: string
      readonly event: AskedCall
      readonly timeoutMs: number
    }
  | { readonly kind: 'cancel'; readonly id: string }
  | { readonly kind: 'answer'; readonly id: string; readonly result: unknown }
  | { readonly kind: 'failure'; readonly id: string; readonly reason: string }

/** Sockets of this gateway, for messages of other gateways. */
export interface SocketsHere {
  emit(userId: string, event: UserEvent): void
  emitTo(sessionId: string, userId: string, event: UserEvent): void
  emitToAll(userIds: readonly string[], event: ChannelFrame): void
  answerBegun(place: AnswerPlace): void
  answerOver(place: AnswerPlace): void
  call(sessionId: string, userId: string, event: AskedCall, wait: AnswerWait): Promise<unknown>
}

interface RemoteCall {
  readonly replica: string
  readonly settle: (outcome: { result: unknown } | { error: Error }) => void
}

const CHANNELS = 'channels'
const topicOf = (userId: string): string => `user:${userId}`
const callsOf = (replica: string): string => `calls:${replica}`
/** Additional time beyond the timeout that the gateway of the window itself applies. */
const GRACE_MILLISECONDS = 1000

/**
 * Sockets on other gateways. An event for a user is received by the gateways on which the user has
 * a socket; each sends it to its own sockets.
 */
export class RemoteSockets {
  readonly #live: Live
  readonly #here: SocketsHere
  readonly #presence: SharedEntries<Presence>
  readonly #counts = new Map<string, number>()
  readonly #joining = new Map<string, Promise<void>>()
  /** Calls of this gateway to windows on other gateways. */
  readonly #asked = new Map<string, RemoteCall>()
  /** Calls of other gateways to windows here. */
  readonly #asking = new Map<string, AbortController>()

  constructor(live: Live, here: SocketsHere) {
    this.#live = live
    this.#here = here
    this.#presence = new SharedEntries(live, 'presence')
    live.replicas.onGone((replica) => this.#abandon(replica))
  }

  async open(): Promise<void> {
    const { line, self } = this.#live
    await line.hear(CHANNELS, (said) => {
      const { readers, event } = said as SaidOfChannel
      this.#here.emitToAll(readers, event)
    })
    await line.hear(callsOf(self), (said, from) => this.#hearCall(said as SaidOfCall, from))
    await this.#presence.open()
  }

  /** True if nothing may be sent, because the others may have assumed that this gateway is dead. */
  get isSilent(): boolean {
    return this.#live.replicas.isPaused
  }

  /**
   * Registers a socket. Must be awaited before `ready` is sent: from then on the socket receives
   * all events, and a call that names it finds it on any gateway. Resolves with the number of
   * sockets of the user that came before it, on any gateway.
   */
  async enter(sessionId: string, userId: string): Promise<number> {
    const count = this.#counts.get(userId) ?? 0
    this.#counts.set(userId, count + 1)
    if (count === 0)
      this.#joining.set(
        userId,
        this.#live.line.hear(topicOf(userId), (said) => this.#hearOfUser(userId, said)),
      )
    await this.#joining.get(userId)
    const entry = { userId, focused: null }
    return this.#presence.takePlace(sessionId, entry, (other) => other.userId === userId)
  }

  leave(sessionId: string, userId: string): void {
    this.#presence.remove(sessionId)
    const count = this.#counts.get(userId)! - 1
    if (count > 0) return void this.#counts.set(userId, count)
    this.#counts.delete(userId)
    this.#joining.delete(userId)
    this.#live.line.stopHearing(topicOf(userId))
  }

  noteFocus(sessionId: string, userId: string, focused: boolean): void {
    this.#presence.put(sessionId, { userId, focused })
  }

  emit(userId: string, event: UserEvent): void {
    this.#tellOf(userId, { kind: 'event', event })
  }

  emitTo(session: string, userId: string, event: UserEvent): void {
    if (this.hasSession(session, userId)) this.#tellOf(userId, { kind: 'event-to', session, event })
  }

  emitToAll(readers: readonly string[], event: ChannelFrame): void {
    this.#live.line.tell(CHANNELS, { readers, event } satisfies SaidOfChannel)
  }

  tellAnswer(
    kind: 'begun' | 'over',
    { userId, chatId, messageId, temporarySession }: AnswerPlace,
  ): void {
    this.#tellOf(userId, { kind, place: { userId, chatId, messageId, temporarySession } })
  }

  hasSession(sessionId: string, userId: string): boolean {
    return this.#presence.find(sessionId)?.entry.userId === userId
  }

  *users(): Generator<string> {
    for (const { entry } of this.#presence.others()) yield entry.userId
  }

  /** Yields the windows of a user on other gateways. */
  *windowsOf(userId: string): Generator<{ sessionId: string; focused: boolean }> {
    for (const { id, entry } of this.#presence.others())
      if (entry.userId === userId && entry.focused !== null)
        yield { sessionId: id, focused: entry.focused }
  }

  /** Asks another gateway to call one of its windows. */
  call(
    session: string,
    userId: string,
    event: AskedCall,
    { timeoutMs, signal }: AnswerWait,
  ): Promise<unknown> {
    const found = this.#presence.find(session)
    const { line } = this.#live
    if (!found || !line.isUp)
      return Promise.reject(new Error('The window that should answer is no longer connected.'))
    if (signal?.aborted) return Promise.reject(new Error('The call was stopped.'))
    const id = newId()
    const topic = callsOf(found.replica)
    return new Promise((resolve, reject) => {
      const giveUp = (reason: string): void => {
        line.tell(topic, { kind: 'cancel', id } satisfies SaidOfCall)
        this.#asked.get(id)?.settle({ error: new Error(reason) })
      }
      const stop = (): void => giveUp('The call was stopped.')
      const timer = setTimeout(
        () => giveUp('No window answered in time.'),
        timeoutMs + GRACE_MILLISECONDS,
      )
      signal?.addEventListener('abort', stop, { once: true })
      this.#asked.set(id, {
        replica: found.replica,
        settle: (outcome) => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', stop)
          this.#asked.delete(id)
          if ('error' in outcome) reject(outcome.error)
          else resolve(outcome.result)
        },
      })
      line.tell(topic, { kind: 'ask', id, session, userId, event, timeoutMs } satisfies SaidOfCall)
    })
  }

  #tellOf(userId: string, said: SaidOfUser): void {
    this.#live.line.tell(topicOf(userId), said)
  }

  #hearOfUser(userId: string, said: unknown): void {
    const heard = said as SaidOfUser
    switch (heard.kind) {
      case 'event':
        return this.#here.emit(userId, heard.event)
      case 'event-to':
        return this.#here.emitTo(heard.session, userId, heard.event)
      case 'begun':
        return this.#here.answerBegun(heard.place)
      case 'over':
        return this.#here.answerOver(heard.place)
    }
  }

  #hearCall(said: SaidOfCall, from: string): void {
    switch (said.kind) {
      case 'ask':
        return void this.#ask(said, from)
      case 'cancel':
        return this.#asking.get(`${from} ${said.id}`)?.abort()
      case 'answer':
        return this.#settle(said.id, from, { result: said.result })
      case 'failure':
        return this.#settle(said.id, from, { error: new Error(said.reason) })
    }
  }

  /** Calls a window here and reports the outcome. */
  async #ask(
    { id, session, userId, event, timeoutMs }: Extract<SaidOfCall, { kind: 'ask' }>,
    from: string,
  ): Promise<void> {
    const controller = new AbortController()
    const key = `${from} ${id}`
    this.#asking.set(key, controller)
    const tell = (said: SaidOfCall): void => this.#live.line.tell(callsOf(from), said)
    try {
      const { signal } = controller
      const result = await this.#here.call(session, userId, event, { timeoutMs, signal })
      tell({ kind: 'answer', id, result })
    } catch (error) {
      tell({ kind: 'failure', id, reason: error instanceof Error ? error.message : String(error) })
    } finally {
      this.#asking.delete(key)
    }
  }

  /** Only the gateway that was asked may answer. */
  #settle(id: string, from: string, outcome: { result: unknown } | { error: Error }): void {
    const asked = this.#asked.get(id)
    if (asked?.replica === from) asked.settle(outcome)
  }

  /** Ends the calls to and from a gateway that is gone. */
  #abandon(replica: string): void {
    for (const { replica: asked, settle } of this.#asked.values())
      if (asked === replica)
        settle({ error: new Error('The window that should answer was closed.') })
    for (const [key, controller] of this.#asking)
      if (key.startsWith(`${replica} `)) controller.abort()
  }
}

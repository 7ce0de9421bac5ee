import type { Channel } from '#contract/channels.ts'
import type {
  AnswerPlace,
  AskedCall,
  AnswerWait,
  ChannelFrame,
  OtherSockets,
  UserEvent,
} from '../events/index.ts'
import type { Logger } from '../lib/logger.ts'
import { unwrap } from '../lib/plugin-events.ts'
import type { Client } from './client.ts'
import { ReferenceEvents, type ChatTexts, type ReferenceEvent } from './reference-events.ts'

/** Clients of one user, and the reports of chat events in order. */
interface Person {
  readonly clients: Set<Client>
  readonly events: ReferenceEvents
  told: Promise<void>
}

interface SocketsParts {
  readonly texts: ChatTexts
  /** Record of a channel, which its events carry; null once it is deleted. */
  readonly recordOf: (channelId: string) => Promise<Channel | null>
  readonly log: Logger
}

/** Events that come many times a second, and carry no record of their channel. */
const isBare = ({ data: { type } }: ChannelFrame): boolean => type === 'typing'
/** Interval at which credentials are checked; those that run out are reported by no event. */
const CHECK_MILLISECONDS = 25_000

/** The signed-in clients, by user. */
export class SocketIoSockets implements OtherSockets {
  readonly #parts: SocketsParts
  readonly #people = new Map<string, Person>()
  /** Events of channels are sent in their order, each with the record of its channel. */
  #inChannels: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  constructor(parts: SocketsParts) {
    this.#parts = parts
  }

  /** Returns the number of clients of an account. */
  count(userId: string): number {
    return this.#people.get(userId)?.clients.size ?? 0
  }

  add(userId: string, client: Client): void {
    const person = this.#people.get(userId) ?? {
      clients: new Set(),
      events: new ReferenceEvents(this.#parts.texts),
      told: Promise.resolve(),
    }
    person.clients.add(client)
    this.#people.set(userId, person)
    this.#timer ??= setInterval(() => void this.#recheckAll(), CHECK_MILLISECONDS).unref()
  }

  remove(userId: string, client: Client): void {
    const person = this.#people.get(userId)
    person?.clients.delete(client)
    if (person?.clients.size === 0) this.#people.delete(userId)
    if (this.#people.size === 0) this.#stopChecks()
  }

  emit(userId: string, event: UserEvent): void {
    this.#tell(userId, ({ events }) => events.translate(event))
  }

  emitTo(sessionId: string, userId: string, event: UserEvent): void {
    if (this.#find(sessionId, userId))
      this.#tell(userId, ({ events }) => events.translate(event), sessionId)
  }

  emitToAll(userIds: Iterable<string>, frame: ChannelFrame): void {
    const clients = [...userIds].flatMap((userId) => [...(this.#people.get(userId)?.clients ?? [])])
    if (clients.length === 0) return
    const { channel_id, message_id, user, data } = frame
    this.#inChannels = this.#inChannels
      .then(async () => {
        const channel = isBare(frame) ? null : await this.#parts.recordOf(channel_id)
        const event = { channel_id, message_id, user, data, ...(channel && { channel }) }
        for (const client of clients) client.send('events:channel', event)
      })
      .catch((error: unknown) =>
        this.#parts.log.warn({ error }, 'a channel event could not be sent'),
      )
  }

  answerBegun(place: AnswerPlace): void {
    this.#tell(place.userId, ({ events }) => events.begun(place), place.temporarySession)
  }

  answerOver(place: AnswerPlace): void {
    this.#tell(place.userId, ({ events }) => events.over(place), place.temporarySession)
  }

  users(): Iterable<string> {
    return this.#people.keys()
  }

  hasSession(sessionId: string, userId: string): boolean {
    return this.#find(sessionId, userId) !== null
  }

  async call(
    sessionId: string,
    userId: string,
    { chat_id, message_id, data }: AskedCall,
    wait: AnswerWait,
  ): Promise<unknown> {
    // A question follows the events before it, which may still have to be translated.
    await this.#people.get(userId)?.told
    const client = this.#find(sessionId, userId)
    if (!client) throw new Error('The window that should answer is no longer connected.')
    const place = { chat_id, message_id }
    if (data.type !== 'tool:approval')
      return client.ask('events', { ...place, data: unwrap(data) }, wait)
    // These clients do not support approvals, but can ask yes or no.
    const { name, arguments: given } = data.data
    const question = {
      title: `Allow the tool “${name}”?`,
      message: `\`\`\`json\n${JSON.stringify(given, null, 2)}\n\`\`\``,
    }
    const said = await client.ask(
      'events',
      { ...place, data: { type: 'confirmation', data: question } },
      wait,
    )
    return { decision: said === true ? 'allow' : 'deny', scope: 'once' }
  }

  async recheck(userId: string): Promise<void> {
    for (const client of this.#people.get(userId)?.clients ?? [])
      if (!(await client.live?.isValid())) client.socket.disconnect(true)
  }

  close(): void {
    this.#stopChecks()
    for (const { clients } of this.#people.values())
      for (const client of clients) client.socket.disconnect(true)
  }

  async #recheckAll(): Promise<void> {
    try {
      for (const userId of this.#people.keys()) await this.recheck(userId)
    } catch (error) {
      this.#parts.log.warn({ error }, 'the sign-ins of clients could not be checked')
    }
  }

  #stopChecks(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #find(sessionId: string, userId: string): Client | null {
    for (const client of this.#people.get(userId)?.clients ?? [])
      if (client.sessionId === sessionId) return client
    return null
  }

  #tell(
    userId: string,
    toEvents: (person: Person) => ReferenceEvent[] | Promise<ReferenceEvent[]>,
    sessionId: string | null = null,
  ): void {
    const person = this.#people.get(userId)
    if (!person) return
    person.told = person.told
      .then(async () => {
        for (const event of await toEvents(person))
          for (const client of person.clients)
            if (sessionId === null || client.sessionId === sessionId)
              client.send('events', event, { isReplaced: isPiece(event) })
      })
      .catch((error: unknown) => this.#parts.log.warn({ error }, 'an event could not be sent'))
  }
}

/** Reports whether a later event of the same answer repeats all its content. */
const isPiece = ({ data: { type, data } }: ReferenceEvent): boolean =>
  type === 'chat:completion' &&
  typeof data === 'object' &&
  data !== null &&
  'content' in data &&
  !('done' in data)

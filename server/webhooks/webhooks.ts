import type { EventResult } from '#contract/event-webhooks.ts'
import type { Webhook, WebhookResult, WebhookUpdate } from '#contract/webhooks.ts'
import { badRequest, notFound, tooManyRequests } from '../lib/errors.ts'
import type { GuardedFetch } from '../lib/outgoing/guarded-fetch.ts'
import { newId, nowSeconds } from '../lib/ids.ts'
import type { Logger } from '../lib/logger.ts'
import type { GatewaySettings, Settings } from '../settings/index.ts'
import type { Live } from '../live/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Secrets } from '../storage/secrets/secrets.ts'
import type { EventBody } from './events/event.ts'
import { EventHooks, type EventHooksDependencies } from './events/index.ts'
import { EventStore } from './events/store.ts'
import { Outbox } from './outbox.ts'
import { send, type Target } from './send.ts'
import {
  WebhookStore,
  receiverOf,
  toColumns,
  type DeliveryRow,
  type Owner,
  type Receiver,
} from './store.ts'
import type { Announcement } from './to-body.ts'

/** The content of a notice about an answer. */
export interface AnswerFacts {
  readonly title: string
  readonly text: string
}

export interface WebhooksDependencies {
  readonly storage: Storage
  readonly secrets: Secrets
  readonly settings: Settings<
    'ENABLE_USER_WEBHOOKS' | 'WEBHOOK_SECRET' | 'WEBHOOK_URL' | 'WEBUI_NAME' | 'WEBUI_URL'
  > &
    Pick<GatewaySettings, 'update'>
  readonly log: Logger
  /**
   * `gateway` is for the URL of an administrator, which may be on the local network, `people` for
   * those of users.
   */
  readonly fetch: { readonly gateway: GuardedFetch; readonly people: GuardedFetch }
  /**
   * Returns the URL a user has in their settings, empty for none; they may have changed or deleted
   * it meanwhile.
   */
  readonly address: (userId: string) => Promise<string>
  readonly setAddress: (userId: string, url: string) => Promise<void>
  /** The current text of an answer; null when it was deleted. */
  readonly readAnswer: (chatId: string, messageId: string) => Promise<AnswerFacts | null>
  /** The fields of an actor; null when the account was deleted. */
  readonly person: EventHooksDependencies['person']
  readonly versions: EventHooksDependencies['versions']
  /** The other gateways on the same database; null or absent if there are none. */
  readonly live?: Live | null
  /** Pauses between attempts in milliseconds; shortened in tests. */
  readonly pauses?: readonly number[]
}

type NewUserFacts = { readonly email: string; readonly name: string }
type AnswerPlace = { readonly chat_id: string; readonly message_id: string }

const MOST_WAITING = 1000
/**
 * The title of a new chat is written after its first answer, so the notice of the answer waits for
 * the title, or for this time.
 */
const HOLD_MILLISECONDS = 60_000
/** Maximum length of a text sent to a receiver; longer texts are truncated. */
const LONGEST_TEXT = 1_000_000

const TEST: Announcement = {
  body: { event: 'test', action: 'test', message: 'This is a test of your webhook.' },
  message: 'This is a test of your webhook.',
  action: 'test',
}

const toResult = ({
  id,
  kind,
  state,
  attempts,
  status,
  problem,
  finished_at,
}: DeliveryRow): EventResult => ({
  id,
  event: kind,
  delivered: state === 'delivered',
  attempts,
  status,
  problem,
  finished_at: finished_at ?? nowSeconds(),
})

const ofEvent = (body: EventBody): Announcement => ({
  body: { ...body },
  message: body.message,
  action: body.event,
})

/** A delivery to be queued. */
type NewDelivery = Pick<DeliveryRow, 'kind' | 'facts' | 'next_attempt_at'> & {
  readonly receiver: Receiver
  readonly id?: string
}

/**
 * Notifies external URLs of new accounts, answers and events, on the tables of `0030-webhooks`.
 * Nothing is sent before `start`.
 */
export class Webhooks {
  readonly #deps: WebhooksDependencies
  readonly #store: WebhookStore
  readonly #outbox: Outbox
  /** Receivers with a test in progress. */
  readonly #testing = new Set<string>()
  readonly #eventStore: EventStore
  /** The URLs registered for events. */
  readonly events: EventHooks

  constructor(deps: WebhooksDependencies) {
    this.#deps = deps
    this.#store = new WebhookStore(deps.storage, deps.secrets)
    const { storage, live, log, pauses } = deps
    this.#outbox = new Outbox({
      storage,
      store: this.#store,
      log,
      pauses,
      isSender: live ? () => live.replicas.isLeader : undefined,
      attempt: (row, signal) => this.#attempt(row, signal),
    })
    this.#eventStore = new EventStore(storage, deps.secrets)
    storage.onOthersChange(['event_webhook'], () => this.events.load())
    this.events = new EventHooks({
      store: this.#eventStore,
      log,
      transaction: (work) => storage.transaction(work),
      versions: deps.versions,
      person: deps.person,
      check: (url) => void deps.fetch.gateway.check(url),
      // Another gateway may have removed it just now, which must not undo what the event is about.
      add: async (hook, delivery) =>
        (await this.#eventStore.get(hook)) === null ||
        (await this.#add({ ...delivery, receiver: { hook }, next_attempt_at: Date.now() })) !==
          null,
      describe: (hook) => this.#describeDeliveries({ hook }),
      test: (hook, body, signal) =>
        this.#sendTest({ hook }, ofEvent(body), { id: body.id, signal }),
    })
  }

  /** Loads the receivers of events; must be awaited before the first call. */
  load(): Promise<void> {
    return this.events.load()
  }

  /** Sends the deliveries a previous process left, and all further ones. */
  async start(): Promise<void> {
    await this.#outbox.start()
    await this.events.tell('system.startup.completed', { source: 'system' })
  }

  /** Aborts the deliveries in progress; they are sent again after the next start. */
  async close(): Promise<void> {
    await this.events.close()
    return this.#outbox.close()
  }

  /**
   * Notifies the gateway's URL of a new account; called within the transaction that creates it, so
   * that both are committed or neither.
   */
  async tellNewUser({ email, name }: NewUserFacts): Promise<void> {
    if (this.#deps.settings.get('WEBHOOK_URL') === '') return
    const facts: NewUserFacts = { email, name }
    await this.#add({
      receiver: null,
      kind: 'new_user',
      facts: JSON.stringify(facts),
      next_attempt_at: Date.now(),
    })
  }

  /**
   * Queues a notice to a user about an answer, within the transaction that saves it. It is held
   * until `releaseAnswer` is called with the returned id, or for a minute. Resolves with null if
   * the user wants no notice.
   */
  async tellAnswer(userId: string, place: AnswerPlace): Promise<string | null> {
    if (
      !this.#deps.settings.get('ENABLE_USER_WEBHOOKS') ||
      (await this.#deps.address(userId)) === ''
    )
      return null
    const facts = JSON.stringify(place)
    return this.#add({
      receiver: userId,
      kind: 'chat_response',
      facts,
      next_attempt_at: Date.now() + HOLD_MILLISECONDS,
    })
  }

  /** Sends the notice of an answer once it is complete. */
  async releaseAnswer(id: string): Promise<void> {
    await this.#store.reschedule(id, Date.now())
    this.#outbox.wake()
  }

  /** Returns the URL of a receiver with the last result. */
  async describe(receiver: Owner): Promise<Webhook> {
    const { address, secret } = await this.#targetOf(receiver)
    const { waiting, last_result } = await this.#describeDeliveries(receiver)
    // Nothing else is sent to these.
    return {
      url: address,
      has_secret: secret !== '',
      waiting,
      last_result: last_result as WebhookResult | null,
    }
  }

  /** Changes URL and secret; throws 400 for a URL to which nothing would be sent. */
  async update(receiver: Owner, { url, secret }: WebhookUpdate): Promise<Webhook> {
    const { settings, setAddress, storage } = this.#deps
    if (url !== undefined && url !== '') (await this.#targetOf(receiver)).fetch.check(url)
    if (receiver === null) {
      await settings.update({
        ...(url !== undefined && { WEBHOOK_URL: url }),
        ...(secret !== undefined && { WEBHOOK_SECRET: secret }),
      })
    } else {
      await storage.transaction(async () => {
        if (url !== undefined) await setAddress(receiver, url)
        if (secret !== undefined) await this.#store.setSecret(receiver, secret)
      })
    }
    return this.describe(receiver)
  }

  /**
   * Sends a test immediately and only once; throws 400 without a URL, 429 while another test of the
   * receiver is in progress.
   */
  async test(receiver: Owner, signal: AbortSignal): Promise<WebhookResult> {
    const target = await this.#targetOf(receiver)
    if (target.address === '')
      throw badRequest('There is no address to send a test to. Enter and save one first.', {
        code: 'no_address',
      })
    return (await this.#sendTest(receiver, TEST, { id: newId(), signal })) as WebhookResult
  }

  async #sendTest(
    receiver: Receiver,
    announcement: Announcement,
    { id, signal }: { id: string; signal: AbortSignal },
  ): Promise<EventResult> {
    const key = JSON.stringify(receiver)
    if (this.#testing.has(key))
      throw tooManyRequests('A test is on its way. Wait until it has ended.', 5)
    this.#testing.add(key)
    try {
      const row = this.#toRow({
        id,
        receiver,
        kind: 'test',
        facts: '',
        next_attempt_at: Date.now(),
      })
      const delivery = { id, announcement, gateway: this.#deps.settings.get('WEBUI_NAME') }
      const result = await send(await this.#targetOf(receiver), delivery, signal)
      await this.#deps.storage.transaction(async () => {
        await this.#requireHook(receiver)
        await this.#store.insert({ ...row, state: 'failed' })
        await this.#outbox.settle(row, result, 1)
      })
      return toResult((await this.#store.last(receiver))!)
    } finally {
      this.#testing.delete(key)
    }
  }

  /** Throws 404 for a receiver of events that was deleted meanwhile. */
  async #requireHook(receiver: Receiver): Promise<void> {
    if (receiver === null || typeof receiver === 'string') return
    if (!(await this.#eventStore.get(receiver.hook))) throw notFound('There is no such webhook.')
  }

  async #describeDeliveries(
    receiver: Receiver,
  ): Promise<{ waiting: number; last_result: EventResult | null }> {
    const last = await this.#store.last(receiver)
    return {
      waiting: await this.#store.countWaiting(receiver),
      last_result: last && toResult(last),
    }
  }

  #toRow({ receiver, ...given }: NewDelivery): DeliveryRow {
    return {
      id: newId(),
      ...toColumns(receiver),
      ...given,
      state: 'waiting',
      attempts: 0,
      status: null,
      problem: null,
      created_at: nowSeconds(),
      finished_at: null,
    }
  }

  async #add(given: NewDelivery): Promise<string | null> {
    if ((await this.#store.countWaiting(given.receiver)) >= MOST_WAITING) {
      // For receivers of events, of which there may be many, this is logged only once elsewhere.
      if (given.receiver === null || typeof given.receiver === 'string')
        this.#deps.log.warn(
          { kind: given.kind, waiting: MOST_WAITING },
          'a receiver does not keep up with its webhooks; a delivery was dropped',
        )
      return null
    }
    const row = this.#toRow(given)
    await this.#store.insert(row)
    this.#outbox.wake()
    return row.id
  }

  async #targetOf(receiver: Receiver): Promise<Target> {
    const { settings, fetch, address } = this.#deps
    if (receiver !== null && typeof receiver === 'object') {
      const { hook } = receiver
      return {
        address: (await this.#eventStore.get(hook))?.url ?? '',
        secret: await this.#eventStore.secret(hook),
        fetch: fetch.gateway,
      }
    }
    if (receiver === null) {
      return {
        address: settings.get('WEBHOOK_URL'),
        secret: settings.get('WEBHOOK_SECRET'),
        fetch: fetch.gateway,
      }
    }
    return {
      address: await address(receiver),
      secret: await this.#store.secret(receiver),
      fetch: fetch.people,
    }
  }

  async #attempt(row: DeliveryRow, signal: AbortSignal) {
    const { settings } = this.#deps
    const target = await this.#targetOf(receiverOf(row))
    if (row.hook_id !== null && (await this.#eventStore.get(row.hook_id))?.enabled !== true)
      return null
    if (target.address === '' || (row.user_id !== null && !settings.get('ENABLE_USER_WEBHOOKS')))
      return null
    const announcement = await this.#toAnnouncement(row)
    return (
      announcement &&
      send(target, { id: row.id, announcement, gateway: settings.get('WEBUI_NAME') }, signal)
    )
  }

  async #toAnnouncement({ hook_id, kind, facts }: DeliveryRow): Promise<Announcement | null> {
    if (hook_id !== null) return ofEvent(JSON.parse(facts) as EventBody)
    return kind === 'new_user'
      ? this.#ofUser(JSON.parse(facts))
      : await this.#ofAnswer(JSON.parse(facts))
  }

  /**
   * @NOTE `user` is an object as in the specification; the reference system sends it as JSON text
   *   under the same name.
   */
  #ofUser({ email, name }: NewUserFacts): Announcement {
    const message = `New user signed up: ${name}`
    return {
      body: { event: 'new_user', user: { email, name }, action: 'signup', message },
      message,
      action: 'signup',
    }
  }

  async #ofAnswer({ chat_id, message_id }: AnswerPlace): Promise<Announcement | null> {
    const { settings, readAnswer } = this.#deps
    const answer = await readAnswer(chat_id, message_id)
    if (!answer) return null
    const { title } = answer
    const text = answer.text.slice(0, LONGEST_TEXT)
    const url = `${settings.get('WEBUI_URL').replace(/\/+$/, '')}/c/${chat_id}`
    const chat = { id: chat_id, title, last_message: text }
    return {
      body: { event: 'chat_response', chat, action: 'chat', message: text, title, url },
      message: `${title} - ${url}\n\n${text}`,
      action: 'chat',
    }
  }
}

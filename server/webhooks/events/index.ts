import { mapInOrder } from '../../lib/in-order.ts'
import { AsyncLocalStorage } from 'node:async_hooks'
import type {
  EventResult,
  EventWebhook,
  EventWebhookCreate,
  EventWebhookUpdate,
} from '#contract/event-webhooks.ts'
import { endpoints } from '#contract/endpoints.ts'
import { badRequest, notFound } from '../../lib/errors.ts'
import { aroundCalls, type Caller, type Route } from '../../lib/http.ts'
import { inOwnContext } from '../../lib/timing/in-own-context.ts'
import { newId, nowSeconds } from '../../lib/ids.ts'
import type { Logger } from '../../lib/logger.ts'
import { toEventBody, type Actor, type EventBody, type Told } from './event.ts'
import { followRoutes } from './follow-routes.ts'
import { ALL, EVENT_NAMES, isFilter, isMatch, type EventName } from './names.ts'
import type { EventStore, HookRecord } from './store.ts'

/** The known fields of an actor. */
type KnownPerson = Pick<Caller, 'name' | 'email' | 'role'> & { readonly id: string }

/** Dependencies of the event webhooks. */
export interface EventHooksDependencies {
  readonly store: EventStore
  readonly log: Logger
  readonly transaction: (work: () => Promise<void>) => Promise<void>
  readonly versions: { readonly api: string; readonly product: string }
  readonly person: (userId: string) => Promise<KnownPerson | null>
  /** Throws 400 for a URL to which nothing would be sent. */
  readonly check: (url: string) => void
  /** Queues a delivery; returns false if too many are already waiting. */
  readonly add: (
    hookId: string,
    delivery: { readonly id: string; readonly kind: string; readonly facts: string },
  ) => Promise<boolean>
  readonly describe: (hookId: string) => Promise<Pick<EventWebhook, 'waiting' | 'last_result'>>
  readonly test: (hookId: string, body: EventBody, signal: AbortSignal) => Promise<EventResult>
}

const MOST_HOOKS = 50
const NAMELESS = 'Webhook'

/** New accounts are announced at the place that creates them, with the caller as the actor. */
const MAKING: ReadonlySet<string> = new Set([
  endpoints.auths.addUser.id,
  endpoints.scim.createUser.id,
])

const toActor = ({ id, name, email, role }: KnownPerson): Actor => ({
  type: 'user',
  id,
  name,
  email,
  role,
})
const SCIM: Actor = { type: 'scim', id: null, name: 'SCIM' }

/**
 * URLs that administrators registered for events, and the delivery of events to them. Built on
 * `0035-event-webhooks`.
 */
export class EventHooks {
  readonly #deps: EventHooksDependencies
  /** The caller of the request that creates an account. */
  readonly #making = new AsyncLocalStorage<Caller | null>()
  /**
   * Events since the last turn of the event loop: they are written in one batch, after the
   * responses were sent.
   */
  #unwritten: { event: EventName; told: Told }[] = []
  #isClosed = false
  /** Receivers that do not keep up; logged once. */
  readonly #behind = new Set<string>()
  #enabled: readonly HookRecord[] = []

  constructor(deps: EventHooksDependencies) {
    this.#deps = deps
  }

  /** Loads the enabled receivers; must be awaited before the first call. */
  async load(): Promise<void> {
    this.#enabled = await this.#read()
  }

  /** Returns the routes, of which those with events report their calls. */
  follow(routes: readonly Route[]): Route[] {
    const followed = followRoutes(routes, {
      listens: () => this.#enabled.length > 0,
      tell: async (event, { caller, actorId, ...told }) => {
        if (!this.#enabled.some(({ events }) => isMatch(events, event))) return
        this.#tellSoon(event, {
          ...told,
          actor: caller?.credential === 'scim' ? SCIM : await this.#actorOf(actorId),
        })
      },
    })
    return followed.map((route) =>
      MAKING.has(route.endpoint.id)
        ? aroundCalls(route, ({ caller }, next) => this.#making.run(caller, next))
        : route,
    )
  }

  /** Writes the pending events; further ones are written immediately. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#write()
  }

  /** Records an event. Within a transaction, both are committed or neither. */
  async tell(event: EventName, told: Told): Promise<void> {
    const { add, log, versions } = this.#deps
    for (const { id: hookId } of this.#enabled.filter(({ events }) => isMatch(events, event))) {
      const id = newId()
      const facts = JSON.stringify(toEventBody(event, told, { id, at: nowSeconds(), versions }))
      if (await add(hookId, { id, kind: event, facts })) this.#behind.delete(hookId)
      else if (!this.#behind.has(hookId)) {
        this.#behind.add(hookId)
        log.warn(
          { webhook: hookId },
          'a receiver does not keep up with events; further events are dropped until it does',
        )
      }
    }
  }

  /** Records an event of a user by their id. */
  async tellOf(event: EventName, userId: string, told: Omit<Told, 'actor'>): Promise<void> {
    if (this.#enabled.length > 0)
      await this.tell(event, { ...told, actor: await this.#actorOf(userId) })
  }

  /** Announces a new account and its creator. */
  async tellNewUser(user: KnownPerson, isRegistration: boolean): Promise<void> {
    if (this.#enabled.length === 0) return
    const caller = this.#making.getStore() ?? null
    const person = toActor(user)
    const maker =
      caller?.credential === 'scim' ? SCIM : caller ? await this.#actorOf(caller.userId) : null
    const told: Told = {
      actor: isRegistration ? person : maker,
      subject: { type: 'user', id: user.id },
      data: { name: user.name, email: user.email, role: user.role },
      source: caller?.credential === 'scim' ? 'scim' : 'api',
    }
    if (isRegistration) await this.tell('auth.signup', told)
    await this.tell('user.created', told)
  }

  #tellSoon(event: EventName, told: Told): void {
    this.#unwritten.push({ event, told })
    if (this.#isClosed) void this.#write()
    else if (this.#unwritten.length === 1)
      setImmediate(() => void inOwnContext(() => this.#write()))
  }

  async #write(): Promise<void> {
    const unwritten = this.#unwritten
    if (unwritten.length === 0) return
    this.#unwritten = []
    try {
      await this.#deps.transaction(async () => {
        await mapInOrder(unwritten, ({ event, told }) => this.tell(event, told))
      })
    } catch (error) {
      // The calls have succeeded, and no caller waits for this.
      this.#deps.log.error(
        { error, events: unwritten.length },
        'events could not be stored and were dropped',
      )
    }
  }

  catalogue(): { schema: string; events: string[] } {
    return { schema: this.#deps.versions.api, events: [...EVENT_NAMES] }
  }

  async list(): Promise<EventWebhook[]> {
    return await mapInOrder(await this.#deps.store.list(), (hook) => this.#toWire(hook))
  }

  /**
   * Adds a URL; throws 400 for one to which nothing would be sent, for unknown events, and if there
   * are too many.
   */
  async create({
    name,
    url,
    enabled = true,
    events,
    secret,
    targets,
  }: EventWebhookCreate): Promise<EventWebhook> {
    const { store, transaction } = this.#deps
    requireNoTargets(targets)
    this.#checkAddress(url)
    const id = newId()
    const hook = {
      name: name || NAMELESS,
      url,
      enabled,
      events: toFilters(events),
      ...(secret !== undefined && { secret }),
    }
    // In one transaction, so that concurrent calls cannot pass the limit together.
    await transaction(async () => {
      if ((await store.list()).length >= MOST_HOOKS)
        throw badRequest(
          `There may be ${MOST_HOOKS} addresses for events, which is fixed. Remove one first.`,
          { code: 'too_many_webhooks' },
        )
      await store.insert(id, nowSeconds(), hook)
    })
    return this.#changed(id)
  }

  /** Changes the given fields; throws 404 if there is no such URL. */
  async update(
    id: string,
    { name, url, enabled, events, secret, targets }: EventWebhookUpdate,
  ): Promise<EventWebhook> {
    await this.#require(id)
    requireNoTargets(targets)
    if (url !== undefined) this.#checkAddress(url)
    await this.#deps.store.update(id, {
      updated_at: nowSeconds(),
      ...(name !== undefined && { name: name || NAMELESS }),
      ...(url !== undefined && { url }),
      ...(enabled !== undefined && { enabled }),
      ...(events !== undefined && { events: toFilters(events) }),
      ...(secret !== undefined && { secret }),
    })
    return this.#changed(id)
  }

  async remove(id: string): Promise<{ status: true }> {
    if (!(await this.#deps.store.remove(id))) throw missing()
    this.#enabled = await this.#read()
    this.#behind.delete(id)
    return { status: true }
  }

  /** Sends a test event, whether or not the URL is enabled. */
  async test(id: string, caller: Caller, signal: AbortSignal): Promise<EventResult> {
    const { name } = await this.#require(id)
    const told: Told = {
      actor: await this.#actorOf(caller.userId),
      subject: { type: 'webhook', id },
      data: { name },
    }
    return this.#deps.test(
      id,
      toEventBody('webhook.test', told, {
        id: newId(),
        at: nowSeconds(),
        versions: this.#deps.versions,
      }),
      signal,
    )
  }

  async #actorOf(userId: string | null): Promise<Actor | null> {
    const person = userId === null ? null : await this.#deps.person(userId)
    return person && toActor(person)
  }

  #checkAddress(url: string): void {
    if (url === '')
      throw badRequest('Enter the address that is told of events.', { code: 'no_address' })
    this.#deps.check(url)
  }

  async #require(id: string): Promise<HookRecord> {
    const hook = await this.#deps.store.get(id)
    if (!hook) throw missing()
    return hook
  }

  async #changed(id: string): Promise<EventWebhook> {
    this.#enabled = await this.#read()
    return this.#toWire(await this.#require(id))
  }

  async #read(): Promise<readonly HookRecord[]> {
    return (await this.#deps.store.list()).filter(({ enabled }) => enabled)
  }

  async #toWire({
    id,
    name,
    url,
    enabled,
    events,
    created_at,
    updated_at,
    hasSecret,
  }: HookRecord): Promise<EventWebhook> {
    const { waiting, last_result } = await this.#deps.describe(id)
    return {
      id,
      name,
      url,
      enabled,
      events: [...events],
      created_at,
      updated_at,
      has_secret: hasSecret,
      waiting,
      last_result,
    }
  }
}

const missing = () => notFound('There is no such webhook.')

function requireNoTargets(targets: readonly unknown[] | null | undefined): void {
  if (targets && targets.length > 0)
    throw badRequest(
      'Events cannot be limited to people or groups. Leave out "targets", or choose events instead.',
      { code: 'no_targets' },
    )
}

function toFilters(events: readonly string[] | null | undefined): string[] {
  const filters = [...new Set((events ?? []).filter((filter) => filter !== ''))]
  const unknown = filters.find((filter) => !isFilter(filter))
  if (unknown !== undefined)
    throw badRequest(
      `There is no event ${JSON.stringify(unknown)}. Use a name of GET /api/events, such a name up to a dot with ".*", or "*" for all.`,
      { code: 'unknown_event' },
    )
  return filters.length === 0 ? [ALL] : filters
}

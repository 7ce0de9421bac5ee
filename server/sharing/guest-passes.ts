import { hash, timingSafeEqual } from 'node:crypto'
import { MOST_PASSES, type GuestPass } from '#contract/sharing.ts'
import { conflict, notFound, ServiceError, unauthorized } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { newId, nowSeconds, randomToken } from '../lib/ids.ts'
import type { Logger } from '../lib/logger.ts'
import type { Storage } from '../storage/index.ts'
import type { UserRecord, Users } from '../users/index.ts'
import { GuestConnections } from './guest-connections.ts'
import { PassStore, type StoredPass } from './pass-store.ts'

/** Recognisable where texts are masked. */
const PREFIX = 'guest-'
/** Passes that ended are shown, and their links explained, for so long. */
const REMEMBERED_SECONDS = 7 * 86_400
/** The longest time a timer can wait. */
const LONGEST_WAIT = 2 ** 31 - 1

const digest = (secret: string): Buffer => hash('sha256', secret, 'buffer')

const describe = ({ secret_hash: _hash, user_id: _user, ...pass }: StoredPass): GuestPass => ({
  ...pass,
  models: [...pass.models],
})

export interface NewPass {
  readonly name: string
  readonly models: readonly string[]
  readonly hours: number
  readonly messages: number
}

interface GuestPassesDependencies {
  readonly storage: Storage
  readonly users: Users
  readonly log: Logger
}

/**
 * Passes that let one device in as a guest each. The guest is an account that is deleted with all
 * it has when its pass ends.
 */
export class GuestPasses {
  readonly #deps: GuestPassesDependencies
  readonly #store: PassStore
  /** All that are remembered, the newest first. */
  #passes: StoredPass[]
  #timer: NodeJS.Timeout | undefined
  readonly connections = new GuestConnections()

  constructor(deps: GuestPassesDependencies) {
    this.#deps = deps
    this.#store = new PassStore(deps.storage)
    this.#passes = this.#store.list()
    for (const { user_id, ended_at } of this.#passes)
      if (user_id !== null && ended_at === null) this.connections.expect(user_id)
  }

  /** Ends what ended while the gateway was not running, and watches the others. */
  resume(): void {
    this.#endOverdue()
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  list(): GuestPass[] {
    return this.#passes.map(describe)
  }

  /** The secret is told this once; 409 when too many passes hold. */
  create({ name, models, hours, messages }: NewPass): GuestPass & { secret: string } {
    this.#endOverdue()
    if (this.#passes.filter(({ ended_at }) => ended_at === null).length >= MOST_PASSES)
      throw conflict(`No more than ${MOST_PASSES} passes hold at a time. End one first.`, {
        code: 'too_many_passes',
      })
    const secret = PREFIX + randomToken()
    const now = nowSeconds()
    const pass: StoredPass = {
      id: newId(),
      name,
      models: [...new Set(models)],
      message_limit: messages,
      message_count: 0,
      secret_hash: digest(secret),
      created_at: now,
      ends_at: now + Math.max(1, Math.round(hours * 3600)),
      used_at: null,
      ended_at: null,
      user_id: null,
    }
    this.#store.insert(pass)
    this.#passes.unshift(pass)
    this.#watch()
    return { ...describe(pass), secret }
  }

  /** Ends a pass at once; 404 for one that does not hold. */
  async end(id: string): Promise<void> {
    const pass = this.#passes.find((each) => each.id === id && each.ended_at === null)
    if (!pass) throw notFound('There is no such pass.')
    await this.#end(pass)
  }

  /** Ends the pass a guest came in with; nothing for everybody else. */
  async endOfGuest(userId: string): Promise<void> {
    const pass = this.#holdingOf(userId)
    if (pass) await this.#end(pass)
  }

  /**
   * The account of the guest, for the first device that brings the secret of a pass. 401 for a
   * secret of no pass or one that ended, 409 for a pass that another device has.
   */
  enter(secret: string): { user: UserRecord; seconds: number } {
    const pass = this.#find(secret)
    if (!pass)
      throw unauthorized('This link is not one of a guest pass here. Ask for a new one.', {
        code: 'pass_unknown',
      })
    const seconds = pass.ends_at - nowSeconds()
    if (pass.ended_at !== null || seconds <= 0)
      throw unauthorized('This guest pass has ended. Ask for a new one.', { code: 'pass_ended' })
    if (pass.used_at !== null)
      throw conflict(
        'This guest pass is in use on another device, and it works on one only. Ask for a pass of your own.',
        { code: 'pass_used' },
      )
    return { user: this.#admit(pass), seconds }
  }

  /** Ids of the models a guest may use; null for everybody else. */
  lentTo(userId: string): ReadonlySet<string> | null {
    if (this.#deps.users.get(userId)?.isGuest !== true) return null
    return new Set(this.#holdingOf(userId)?.models)
  }

  /** The same for everybody but guests, who get null. */
  keptFromGuests<Origin extends { readonly caller: Pick<Caller, 'userId'> }, Rest, Result>(
    open: (origin: Origin, rest: Rest) => Result,
  ): (origin: Origin, rest: Rest) => Result | null {
    return (origin, rest) =>
      this.#deps.users.get(origin.caller.userId)?.isGuest === true ? null : open(origin, rest)
  }

  /** Counts messages of a guest; 429 when they are more than the pass allows. */
  countMessages(userId: string, messages: number): void {
    if (this.#deps.users.get(userId)?.isGuest !== true) return
    const pass = this.#holdingOf(userId)
    if (!pass) throw unauthorized('This guest pass has ended.', { code: 'pass_ended' })
    const count = pass.message_count + messages
    if (count > pass.message_limit)
      throw new ServiceError(
        429,
        `This guest pass allows ${pass.message_limit} messages, and they are used up. Ask for a new pass.`,
        {
          code: 'pass_messages_used',
          headers: { 'Retry-After': String(Math.max(1, pass.ends_at - nowSeconds())) },
        },
      )
    this.#change(pass, { message_count: count })
  }

  /** The pass a guest came in with; null for everybody else. */
  ofGuest(userId: string): GuestPass | null {
    const pass = this.#holdingOf(userId)
    return pass ? describe(pass) : null
  }

  #holdingOf(userId: string): StoredPass | undefined {
    return this.#passes.find(
      ({ user_id, ended_at, ends_at }) =>
        user_id === userId && ended_at === null && ends_at > nowSeconds(),
    )
  }

  /** Compares with every pass, so that the time tells nothing of which are near. */
  #find(secret: string): StoredPass | undefined {
    const given = digest(secret)
    return this.#passes.filter(({ secret_hash }) => timingSafeEqual(secret_hash, given))[0]
  }

  #admit(pass: StoredPass): UserRecord {
    return this.#deps.storage.transaction(() => {
      const user = this.#deps.users.create({
        name: pass.name,
        email: `guest-${pass.id}@guest.invalid`,
        role: 'user',
        isGuest: true,
      })
      this.#change(pass, { used_at: nowSeconds(), user_id: user.id })
      this.connections.expect(user.id)
      return user
    })
  }

  #change(pass: StoredPass, change: Parameters<PassStore['update']>[1]): StoredPass {
    this.#store.update(pass.id, change)
    const changed = { ...pass, ...change }
    this.#passes = this.#passes.map((each) => (each.id === pass.id ? changed : each))
    return changed
  }

  async #end(pass: StoredPass): Promise<void> {
    this.#change(pass, { ended_at: nowSeconds() })
    this.#watch()
    if (pass.user_id === null) return
    this.connections.end(pass.user_id)
    if (this.#deps.users.get(pass.user_id)) await this.#deps.users.remove(pass.user_id)
  }

  #endOverdue(): void {
    const now = nowSeconds()
    const before = now - REMEMBERED_SECONDS
    this.#store.purge(before)
    this.#passes = this.#passes.filter(({ ended_at }) => ended_at === null || ended_at >= before)
    for (const pass of this.#passes)
      if (pass.ended_at === null && pass.ends_at <= now)
        this.#end(pass).catch((error: unknown) =>
          this.#deps.log.error({ error }, 'the account of a guest could not be deleted'),
        )
    this.#watch()
  }

  #watch(): void {
    clearTimeout(this.#timer)
    const ends = this.#passes
      .filter(({ ended_at }) => ended_at === null)
      .map(({ ends_at }) => ends_at)
    if (ends.length === 0) return
    const wait = Math.max(0, Math.min(...ends) * 1000 - Date.now())
    this.#timer = setTimeout(() => this.#endOverdue(), Math.min(wait, LONGEST_WAIT)).unref()
  }
}

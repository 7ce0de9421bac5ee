import { hash, timingSafeEqual } from 'node:crypto'
import { MOST_PASSES, type GuestPass } from '#contract/sharing.ts'
import { conflict, notFound, ServiceError, unauthorized } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { newId, nowSeconds, randomToken } from '../lib/ids.ts'
import type { Logger } from '../lib/logger.ts'
import type { Storage } from '../storage/index.ts'
import type { UserRecord, Users } from '../users/index.ts'
import { GuestConnections } from './guest-connections.ts'
import { PassStore, type PassChange, type StoredPass } from './pass-store.ts'

/** A recognisable prefix, so that texts can be redacted. */
const PREFIX = 'guest-'
/** Time for which ended passes are listed and their links explained. */
const REMEMBERED_SECONDS = 7 * 86_400
/** Maximum delay of a timer. */
const LONGEST_WAIT = 2 ** 31 - 1
/** Delay after which an end that failed is tried again. */
const RETRY_MILLISECONDS = 5000

const digest = (secret: string): Buffer => hash('sha256', secret, 'buffer')

const describe = ({ secret_hash: _hash, user_id: _user, ...pass }: StoredPass): GuestPass => ({
  ...pass,
  models: [...pass.models],
})

const passInUse = (): ServiceError =>
  conflict(
    'This guest pass is in use on another device, and it works on one only. Ask for a pass of your own.',
    { code: 'pass_used' },
  )

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
 * Passes that each admit one device as a guest. The guest is an account that is deleted with all
 * its data when its pass ends.
 */
export class GuestPasses {
  readonly #deps: GuestPassesDependencies
  readonly #store: PassStore
  /** All stored passes, newest first. */
  #passes: StoredPass[] = []
  #timer: NodeJS.Timeout | undefined
  /** Passes whose end is under way, or failed and is tried again. */
  readonly #ending = new Set<string>()
  #isClosed = false
  readonly connections = new GuestConnections()

  constructor(deps: GuestPassesDependencies) {
    this.#deps = deps
    this.#store = new PassStore(deps.storage)
  }

  /** Loads the passes into memory; must be awaited before the first call. */
  async load(): Promise<void> {
    this.#passes = await this.#store.list()
    for (const { user_id, ended_at } of this.#passes)
      if (user_id !== null && ended_at === null) this.connections.expect(user_id)
  }

  /** Ends passes that expired while the gateway was not running, and watches the others. */
  async resume(): Promise<void> {
    // The gateway may have stopped between ending a pass and removing its guest.
    for (const { user_id, ended_at } of this.#passes)
      if (user_id !== null && ended_at !== null) await this.#removeGuest(user_id)
    await this.#endOverdue()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  list(): GuestPass[] {
    return this.#passes.map(describe)
  }

  /** The secret is returned only this once; throws 409 if too many passes are active. */
  async create({
    name,
    models,
    hours,
    messages,
  }: NewPass): Promise<GuestPass & { secret: string }> {
    await this.#endOverdue()
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
    await this.#deps.storage.transaction(() => this.#add(pass))
    this.#watch()
    return { ...describe(pass), secret }
  }

  /** Ends a pass at once; throws 404 if it is not active. */
  async end(id: string): Promise<void> {
    const pass = this.#passes.find((each) => each.id === id && each.ended_at === null)
    if (!pass) throw notFound('There is no such pass.')
    await this.#end(pass.id)
  }

  /** Ends the pass of a guest; does nothing for all other users. */
  async endOfGuest(userId: string): Promise<void> {
    const pass = this.#holdingOf(userId)
    if (pass) await this.#end(pass.id)
  }

  /**
   * Returns the guest account for the first device that presents the secret of a pass. Throws 401
   * for an unknown or expired secret, 409 for a pass that another device uses.
   */
  async enter(secret: string): Promise<{ user: UserRecord; seconds: number }> {
    // An invalid secret must not make writers wait.
    this.#requireUnused(secret)
    return this.#deps.storage.transaction(async () => {
      // Of two concurrent devices only one is admitted.
      const { pass, seconds } = this.#requireUnused(secret)
      return { user: await this.#admit(pass), seconds }
    })
  }

  /** Ids of the models a guest may use; null for all other users. */
  lentTo(userId: string): ReadonlySet<string> | null {
    if (!this.#deps.users.cached.isGuest(userId)) return null
    return new Set(this.#holdingOf(userId)?.models)
  }

  /** Returns `open` for all users except guests, who get null. */
  keptFromGuests<Origin extends { readonly caller: Pick<Caller, 'userId'> }, Rest, Result>(
    open: (origin: Origin, rest: Rest) => Result,
  ): (origin: Origin, rest: Rest) => Result | null {
    return (origin, rest) =>
      this.#deps.users.cached.isGuest(origin.caller.userId) ? null : open(origin, rest)
  }

  /** Counts messages of a guest; throws 429 if there are more than the pass allows. */
  countMessages(userId: string, messages: number): Promise<void> | void {
    if (!this.#deps.users.cached.isGuest(userId)) return
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
    // In memory before any await, so that concurrent messages all count.
    this.#keep(pass.id, { message_count: count })
    return this.#store.countMessages(pass.id, messages)
  }

  /** Returns the pass of a guest; null for all other users. */
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

  /** Compares with every pass, so that the timing does not reveal similar secrets. */
  #find(secret: string): StoredPass | undefined {
    const given = digest(secret)
    return this.#passes.filter(({ secret_hash }) => timingSafeEqual(secret_hash, given))[0]
  }

  #requireUnused(secret: string): { pass: StoredPass; seconds: number } {
    const pass = this.#find(secret)
    if (!pass)
      throw unauthorized('This link is not one of a guest pass here. Ask for a new one.', {
        code: 'pass_unknown',
      })
    const seconds = pass.ends_at - nowSeconds()
    if (pass.ended_at !== null || seconds <= 0)
      throw unauthorized('This guest pass has ended. Ask for a new one.', { code: 'pass_ended' })
    if (pass.used_at !== null) throw passInUse()
    return { pass, seconds }
  }

  /** Must be called within a transaction, because memory changes with its commit. */
  async #add(pass: StoredPass): Promise<void> {
    if ((await this.#store.countOpen()) >= MOST_PASSES)
      throw conflict(`No more than ${MOST_PASSES} passes hold at a time. End one first.`, {
        code: 'too_many_passes',
      })
    await this.#store.insert(pass)
    this.#deps.storage.afterCommit(() => this.#passes.unshift(pass))
  }

  async #admit(pass: StoredPass): Promise<UserRecord> {
    const usedAt = nowSeconds()
    // PostgreSQL runs the transactions of several devices side by side.
    if (!(await this.#store.claim(pass.id, usedAt))) throw passInUse()
    const user = await this.#deps.users.create({
      name: pass.name,
      email: `guest-${pass.id}@guest.invalid`,
      role: 'user',
      isGuest: true,
    })
    await this.#change(pass.id, { used_at: usedAt, user_id: user.id })
    this.#deps.storage.afterCommit(() => this.connections.expect(user.id))
    return user
  }

  async #change(id: string, change: PassChange): Promise<void> {
    await this.#store.update(id, change)
    this.#deps.storage.afterCommit(() => this.#keep(id, change))
  }

  #keep(id: string, change: PassChange): void {
    this.#passes = this.#passes.map((each) => (each.id === id ? { ...each, ...change } : each))
  }

  async #end(id: string): Promise<void> {
    const userId = await this.#deps.storage.transaction(async () => {
      const pass = this.#passes.find((each) => each.id === id)
      if (!pass) return null
      if (pass.ended_at === null) await this.#change(id, { ended_at: nowSeconds() })
      // After a failure the pass may have ended, but not its guest's account.
      else if (!this.#ending.has(id)) return null
      return pass.user_id
    })
    this.#watch()
    if (userId !== null) await this.#removeGuest(userId)
  }

  async #removeGuest(userId: string): Promise<void> {
    this.connections.end(userId)
    if (await this.#deps.users.get(userId)) await this.#deps.users.remove(userId)
  }

  /** Ends expired passes; guest accounts are deleted in the background. */
  async #endOverdue(): Promise<void> {
    const now = nowSeconds()
    const before = now - REMEMBERED_SECONDS
    await this.#store.purge(before)
    this.#passes = this.#passes.filter(({ ended_at }) => ended_at === null || ended_at >= before)
    for (const pass of this.#passes)
      if (pass.ended_at === null && pass.ends_at <= now && !this.#ending.has(pass.id))
        void this.#endUntilDone(pass.id)
    this.#watch()
  }

  async #endUntilDone(id: string): Promise<void> {
    this.#ending.add(id)
    try {
      await this.#end(id)
      this.#ending.delete(id)
    } catch (error) {
      this.#deps.log.error({ error }, 'the account of a guest could not be deleted')
      this.#later(() => this.#endUntilDone(id))
    }
  }

  /** Tries again what failed, without delaying the end of the process. */
  #later(work: () => Promise<void>): void {
    setTimeout(() => void (this.#isClosed || work()), RETRY_MILLISECONDS).unref()
  }

  #watch(): void {
    clearTimeout(this.#timer)
    const ends = this.#passes
      .filter(({ id, ended_at }) => ended_at === null && !this.#ending.has(id))
      .map(({ ends_at }) => ends_at)
    if (ends.length === 0) return
    const wait = Math.max(0, Math.min(...ends) * 1000 - Date.now())
    this.#timer = setTimeout(() => void this.#endInTime(), Math.min(wait, LONGEST_WAIT)).unref()
  }

  async #endInTime(): Promise<void> {
    try {
      await this.#endOverdue()
    } catch (error) {
      this.#deps.log.error({ error }, 'expired guest passes could not be ended')
      this.#later(() => this.#endInTime())
    }
  }
}

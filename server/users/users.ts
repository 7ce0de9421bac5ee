import { flatMapInOrder } from '../lib/in-order.ts'
import { inGroups } from '../lib/timing/in-groups.ts'
import { cleanName } from '#contract/clean-name.ts'
import type { Role } from '#contract/common.ts'
import { checkPlainJson } from '../lib/json/check-plain-json.ts'
import { badRequest, forbidden, notFound, tooLarge } from '../lib/errors.ts'
import { nowSeconds } from '../lib/ids.ts'
import type { Logger } from '../lib/logger.ts'
import { createTouch } from '../lib/timing/touch.ts'
import type { Storage } from '../storage/index.ts'
import type { HashLine } from './hash-queue.ts'
import type { KeptAccounts } from './kept-accounts.ts'
import { Passwords } from './passwords.ts'
import { ProfileStore } from './profile-store.ts'
import { Profiles } from './profiles.ts'
import { UserDetailStore, UserStore } from './store.ts'
import { ACTIVE_SECONDS, type UserRecord } from './user-record.ts'
import type { ListUsers } from './store.ts'

interface UpdateOptions {
  readonly evenFirst?: boolean
  /** Called with the account in the transaction that changes it; may throw. */
  readonly check?: (account: UserRecord) => void
}

interface UsersDependencies {
  readonly storage: Storage
  readonly log: Logger
  /** Throws 400 for a new password that does not fit the rules of the gateway. */
  readonly checkPassword?: (password: string) => void
  /** Tests pass a narrower hashing queue. */
  readonly passwords?: Passwords
}

const PAGE_SIZE = 30
/** Number of accounts that are read and described at once. */
const SLICE = 64
const LARGEST_SETTINGS_BYTES = 256 * 1024

/**
 * Refuses e-mail addresses that look like another one: compatibility characters and control
 * characters.
 */
function checkEmail(email: string): void {
  if (email.normalize('NFKC') !== email || /\p{C}/u.test(email))
    throw badRequest('The email address contains characters that are not allowed.')
}

/** Leaves out a name of which nothing is visible, so that the account keeps the one it has. */
function withShownName<Changes extends { name?: string }>({ name, ...changes }: Changes) {
  const shown = name === undefined ? '' : cleanName(name)
  return shown === '' ? changes : { ...changes, name: shown }
}

/**
 * Accounts of the gateway with their passwords, on the tables of `0002-users` and
 * `0009-api-key-extras`.
 */
export class Users {
  readonly #storage: Storage
  readonly #store: UserStore
  readonly #details: UserDetailStore
  readonly #passwords: Passwords
  readonly #checkPassword: UsersDependencies['checkPassword']
  readonly #listeners: ((userId: string) => Promise<void>)[] = []
  readonly #creationListeners: Parameters<Users['onCreated']>[0][] = []
  /** Facts about accounts from memory, which never wait. */
  readonly cached: KeptAccounts
  readonly profiles: Profiles
  /** Records that the account was used; written with a short delay, at most once a minute. */
  readonly touch: (id: string) => void

  constructor({ storage, log, checkPassword, passwords = new Passwords() }: UsersDependencies) {
    this.#storage = storage
    this.#store = new UserStore(storage)
    this.cached = this.#store.accounts
    this.#details = new UserDetailStore(storage)
    this.profiles = new Profiles(new ProfileStore(storage))
    this.#passwords = passwords
    this.#checkPassword = checkPassword
    storage.onOthersChange(['user'], (keys) => this.#followOthers(keys))
    this.touch = createTouch({ log, write: (times) => this.#store.setLastActive(times) })
  }

  /** Loads the in-memory state; must be awaited before the first request. */
  load(): Promise<void> {
    return this.#store.load()
  }

  /**
   * Creates an account; with `firstBecomesAdmin` the very first one is `admin`, atomically. Throws
   * 400 for a taken e-mail address. Without a `passwordHash` sign-in with a password is not
   * possible.
   */
  create(input: {
    name: string
    email: string
    role: Role
    firstBecomesAdmin?: boolean
    /**
     * True if the user registered, for example by signing up, so that administrators are not aware
     * of it yet.
     */
    isRegistration?: boolean
    /** See `UserRecord.isGuest`. */
    isGuest?: boolean
    passwordHash?: string
    /** Picture of the account; throws 400 for an invalid one, and then creates no account. */
    profile_image_url?: string | null
  }): Promise<UserRecord> {
    return this.#storage.transaction(async () => {
      await this.#requireFreeEmail(input.email)
      const isFirst = input.firstBecomesAdmin === true && (await this.#store.count()) === 0
      const user = await this.#store.insert({
        // Providers and directories may send any name, and do not see a refusal.
        name: cleanName(input.name) || input.email,
        email: input.email,
        role: isFirst ? 'admin' : input.role,
        isFirst,
        isGuest: input.isGuest === true,
      })
      if (input.passwordHash !== undefined)
        await this.#details.setPasswordHash(user.id, input.passwordHash)
      if (input.profile_image_url !== undefined)
        await this.profiles.update(user.id, { profile_image_url: input.profile_image_url })
      for (const listener of this.#creationListeners)
        await listener(user, { isRegistration: input.isRegistration === true })
      return user
    })
  }

  get(id: string): Promise<UserRecord | null> {
    return this.#store.accounts.get(id)
  }

  findByEmail(email: string): Promise<UserRecord | null> {
    return this.#store.findByEmail(email)
  }

  /** Returns the very first account, the owner of the desktop app. */
  first(): Promise<UserRecord | null> {
    return this.#store.first()
  }

  count(): Promise<number> {
    return this.#store.count()
  }

  /** Returns the number of accounts used within the last three minutes. */
  countActive(): Promise<number> {
    return this.#store.countActiveSince(nowSeconds() - ACTIVE_SECONDS)
  }

  /** Returns 30 per page, the newest first by default. */
  async list({
    query = '',
    page = 1,
    ...options
  }: ListUsers): Promise<{ users: UserRecord[]; total: number }> {
    const place = { offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE }
    return this.#store.page({
      order: 'created_at',
      direction: 'desc',
      ...options,
      query: query.trim().toLowerCase(),
      ...place,
    })
  }

  /** Returns all accounts, the oldest first. */
  async all(): Promise<UserRecord[]> {
    return (
      await this.#store.page({
        query: '',
        order: 'created_at',
        direction: 'asc',
        offset: 0,
        limit: Number.MAX_SAFE_INTEGER,
      })
    ).users
  }

  /**
   * Yields all accounts, the oldest first, some at a time, read only when requested; those created
   * or deleted meanwhile are left out.
   */
  async *slices(): AsyncGenerator<UserRecord[]> {
    for (const some of inGroups(await this.#store.ids(), SLICE)) yield await this.several(some)
  }

  /** Returns accounts in the order of their ids, without deleted ones. */
  async several(ids: readonly string[]): Promise<UserRecord[]> {
    await this.#store.accounts.readAhead(ids)
    return await flatMapInOrder(ids, async (id) => (await this.get(id)) ?? [])
  }

  /** Reads accounts in few statements, before code that calls `get` for each of them. */
  readAhead(ids: readonly string[]): Promise<void> {
    return this.#store.accounts.readAhead(ids)
  }

  /** Returns a part of them in the same order. */
  async slice(offset: number, limit: number): Promise<UserRecord[]> {
    return (
      await this.#store.page({ query: '', order: 'created_at', direction: 'asc', offset, limit })
    ).users
  }

  /**
   * Changes an account; a new role or password ends its sessions. The first administrator keeps the
   * role (403), unless `evenFirst`: an identity provider determines the role of a user who signs in
   * through it.
   */
  async update(
    id: string,
    {
      passwordHash,
      ...changes
    }: { name?: string; email?: string; role?: Role; passwordHash?: string },
    { evenFirst = false, check }: UpdateOptions = {},
  ): Promise<UserRecord> {
    const endsSessions = await this.#storage.transaction(async () => {
      const before = await this.#existing(id)
      check?.(before)
      const hasNewRole = changes.role !== undefined && changes.role !== before.role
      if (hasNewRole && before.isFirst && !evenFirst)
        throw forbidden('The role of the first administrator cannot be changed.')
      const endsThem = hasNewRole || passwordHash !== undefined
      if (changes.email !== undefined) await this.#requireFreeEmail(changes.email, id)
      if (passwordHash !== undefined) await this.#details.setPasswordHash(id, passwordHash)
      await this.#store.update(id, withShownName(changes))
      if (endsThem) await this.#store.raiseTokenVersion(id)
      return endsThem
    })
    if (endsSessions) await this.#announce(id)
    return this.#existing(id)
  }

  /**
   * Deletes an account with everything it owns; the first administrator cannot be deleted (403). It
   * is gone immediately and cannot be restored. Settles when other users see nothing of its data;
   * the rows are removed in the background.
   */
  async remove(id: string): Promise<void> {
    const deletion = await this.#storage.transaction(async () => {
      const { isFirst, name } = await this.#existing(id)
      if (isFirst) throw forbidden('The account of the first administrator cannot be deleted.')
      return this.#store.remove(id, name)
    })
    await this.#announce(id)
    // Domains that read and cached some of its data meanwhile must drop it again.
    return this.#storage.deletions.hidden(deletion).then(() => this.#announce(id))
  }

  /** Ends all sessions of an account: tokens issued before are refused from now on. */
  async revokeSessions(id: string): Promise<void> {
    await this.#store.raiseTokenVersion(id)
    await this.#announce(id)
  }

  /**
   * Adds a listener that is called when sessions of an account ended: role change, password change,
   * deletion.
   */
  onSessionsRevoked(listener: (userId: string) => Promise<void>): void {
    this.#listeners.push(listener)
  }

  /**
   * Adds a listener that is called when an account was deleted, and again when everything it owned
   * is hidden.
   */
  onRemoved(listener: (userId: string) => Promise<void>): void {
    this.onSessionsRevoked(async (id) => {
      if (!(await this.get(id))) await listener(id)
    })
  }

  /** Adds a listener that is called when an account was deleted or may no longer sign in. */
  onBarred(listener: (userId: string, reason: 'deleted' | 'pending') => void): void {
    this.onSessionsRevoked(async (id) => {
      const user = await this.get(id)
      if (!user) listener(id, 'deleted')
      else if (user.role === 'pending') listener(id, 'pending')
    })
  }

  /** Adds a listener for a new account, called within the transaction that creates it. */
  onCreated(
    listener: (user: UserRecord, about: { isRegistration: boolean }) => Promise<void>,
  ): void {
    this.#creationListeners.push(listener)
  }

  /**
   * Hashes a new password; throws 400 if it does not fit the rules, 429 if too many are being
   * hashed. Users who sign up wait in a separate queue.
   */
  async hashPassword(password: string, line: HashLine = 'known'): Promise<string> {
    this.#checkPassword?.(password)
    return this.#passwords.hash(password, line)
  }

  async hasPassword(id: string): Promise<boolean> {
    return (await this.#details.passwordHash(id)) !== null
  }

  /**
   * Removes the password, without which signing in with one is impossible until a new one is set,
   * and the UI settings, with the addresses in them that the account's data is sent to.
   */
  async removeOwnEntries(id: string): Promise<void> {
    await this.#details.removePasswordHash(id)
    await this.#details.removeSettings(id)
  }

  /**
   * Returns the account if e-mail address and password match, else null, in the same time whether
   * or not it exists.
   */
  async findByPassword(
    email: string,
    password: string,
    line: HashLine = 'sign-in',
  ): Promise<UserRecord | null> {
    const user = await this.#store.findByEmail(email)
    const stored = user ? await this.#details.passwordHash(user.id) : null
    const isRight = await this.#passwords.verify(stored, password, line)
    if (!isRight || !user || stored === null) return null
    const rehashed = (await this.#passwords.needsRehash(stored))
      ? await this.#passwords.hash(password, line)
      : null
    return rehashed === null
      ? this.#ifUnchanged(user)
      : this.#storage.transaction(async () => {
          const current = await this.#ifUnchanged(user)
          if (current) await this.#details.setPasswordHash(user.id, rehashed)
          return current
        })
  }

  /** Returns the UI settings that clients store for an account. */
  async settings(id: string): Promise<Record<string, unknown> | null> {
    const value = await this.#details.settings(id)
    return value === null ? null : (JSON.parse(value) as Record<string, unknown>)
  }

  /** Replaces the given branches; others stay. */
  async updateSettings(
    id: string,
    settings: Record<string, unknown>,
  ): Promise<Record<string, unknown>> {
    checkPlainJson(settings, 'What was sent')
    return this.#storage.transaction(async () => {
      const merged = { ...(await this.settings(id)), ...settings }
      const value = JSON.stringify(merged)
      if (Buffer.byteLength(value) > LARGEST_SETTINGS_BYTES)
        throw tooLarge(`Interface settings may have ${LARGEST_SETTINGS_BYTES} bytes.`)
      await this.#details.setSettings(id, value)
      return merged
    })
  }

  /**
   * Follows changes of accounts by other gateways. If their ids are unknown, the cached accounts
   * are compared with the stored ones.
   */
  async #followOthers(ids: ReadonlySet<string> | null): Promise<void> {
    const known = new Map(this.#store.accounts.kept().map((account) => [account.id, account]))
    if (ids === null) await this.#store.load()
    for (const id of ids ?? known.keys()) {
      const account = await this.#store.readAgain(id)
      const before = known.get(id)
      const isSame =
        before?.tokenVersion === account?.tokenVersion && before?.role === account?.role
      if (!before || !isSame) await this.#announce(id)
    }
  }

  /** Returns the account, unless its password was changed or it was deleted since it was read. */
  async #ifUnchanged({ id, tokenVersion }: UserRecord): Promise<UserRecord | null> {
    const current = await this.#store.accounts.get(id)
    return current?.tokenVersion === tokenVersion ? current : null
  }

  /** Runs after the commit, because listeners also end things that no transaction can roll back. */
  async #announce(id: string): Promise<void> {
    const tell = async (): Promise<void> => {
      for (const listener of this.#listeners) await listener(id)
    }
    if (this.#storage.inTransaction) this.#storage.afterCommit(tell)
    else await tell()
  }

  async #existing(id: string): Promise<UserRecord> {
    const user = await this.#store.accounts.get(id)
    if (!user) throw notFound('There is no such account.')
    return user
  }

  async #requireFreeEmail(email: string, ownId?: string): Promise<void> {
    checkEmail(email)
    const holder = await this.#store.findByEmail(email)
    if (holder && holder.id !== ownId)
      throw badRequest('This email address is already registered.', { code: 'email_taken' })
  }
}

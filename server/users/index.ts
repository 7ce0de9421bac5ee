import type { Role } from '#contract/common.ts'
import { checkPlainJson } from '../lib/check-plain-json.ts'
import { badRequest, forbidden, notFound, tooLarge } from '../lib/errors.ts'
import { nowSeconds } from '../lib/ids.ts'
import type { Logger } from '../lib/logger.ts'
import { createTouch } from '../lib/touch.ts'
import type { Storage } from '../storage/index.ts'
import { createFindByPassword } from './find-by-password.ts'
import type { HashLine } from './hash-queue.ts'
import { createPasswords, type Passwords } from './passwords.ts'
import { createProfileStore } from './profile-store.ts'
import { createProfiles, type Profiles } from './profiles.ts'
import { createUserDetailStore, createUserStore, type UserQuery } from './store.ts'
import { ACTIVE_SECONDS } from './to-wire-user.ts'

export { createPasswordRule } from './password-rule.ts'
export { createUserRoutes } from './routes.ts'
export { isActive, mayIdentify, toUserInfo, toWireUser } from './to-wire-user.ts'

/**
 * An account. Times are unix seconds; `tokenVersion` grows whenever all its sessions have to end.
 */
export interface UserRecord {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly profile_image_url: string
  /** True for the very first account, which stays admin and cannot be deleted. */
  readonly isFirst: boolean
  readonly tokenVersion: number
  readonly last_active_at: number | null
  readonly created_at: number
  readonly updated_at: number
}

/** Accounts of the gateway with their passwords. */
export interface Users {
  /**
   * Creates an account; with `firstBecomesAdmin` the very first one is `admin`, atomically. 400 for
   * a taken e-mail. Without a `passwordHash` nobody can sign in with a password.
   */
  create(input: {
    name: string
    email: string
    role: Role
    firstBecomesAdmin?: boolean
    /** The person came by themselves, as by signing up; nobody else knows of it yet. */
    isRegistration?: boolean
    passwordHash?: string
    /** 400 for one that is no picture, and then there is no account. */
    profile_image_url?: string | null | undefined
  }): UserRecord
  get(id: string): UserRecord | null
  findByEmail(email: string): UserRecord | null
  /** The very first account, the owner of the desktop app. */
  first(): UserRecord | null
  count(): number
  /** How many accounts were used within the last three minutes. */
  countActive(): number
  /** 30 a page, the newest first unless ordered otherwise. */
  list(options: ListUsers): { users: UserRecord[]; total: number }
  /** Every account, the oldest first. */
  all(): UserRecord[]
  /** A part of them in the same order. */
  slice(offset: number, limit: number): UserRecord[]
  /**
   * Changes an account; a new role or password ends its sessions. The first admin keeps the role
   * (403), unless `evenFirst`: who signs in through a provider of identities has the role that one
   * says.
   */
  update(
    id: string,
    changes: { name?: string; email?: string; role?: Role; passwordHash?: string },
    options?: { readonly evenFirst?: boolean },
  ): UserRecord
  /**
   * Deletes an account with everything it owns; the first admin stays (403). It is gone at once and
   * cannot be taken back. Settles when others see nothing of what it owned; the rows are removed in
   * the background.
   */
  remove(id: string): Promise<void>
  /** Ends every session of an account: tokens issued before are refused from now on. */
  revokeSessions(id: string): void
  /** Announces that sessions of an account ended: role change, password change, deletion. */
  onSessionsRevoked(listener: (userId: string) => void): void
  /** Announces a new account, within the transaction that makes it. */
  onCreated(listener: (user: UserRecord, about: { isRegistration: boolean }) => void): void
  /** Notes that the account was used; written at most once a minute and a little later. */
  touch(id: string): void
  settings(id: string): Record<string, unknown> | null
  /** Replaces the branches that are named; others stay. */
  updateSettings(id: string, settings: Record<string, unknown>): Record<string, unknown>
  /**
   * Hashes a new password: 400 when it cannot be kept, 429 when too many are being hashed.
   * Strangers wait in another line.
   */
  hashPassword(password: string, line?: HashLine): Promise<string>
  hasPassword(id: string): boolean
  /** Nobody gets in by a password any more until a new one is set. */
  removePassword(id: string): void
  /**
   * The account when e-mail and password belong together, else null, in the same time whether or
   * not it exists.
   */
  findByPassword(email: string, password: string, line?: HashLine): Promise<UserRecord | null>
  readonly profiles: Profiles
}

/** Which accounts to list, in which order. */
export type ListUsers = Partial<
  Pick<UserQuery, 'query' | 'wholeEmail' | 'order' | 'direction' | 'first' | 'only'>
> & {
  readonly page?: number | undefined
}

/** What the domain is built from. */
export interface UsersDependencies {
  readonly storage: Storage
  readonly log: Logger
  /** Refuses a new password that does not fit the rules of the gateway (400). */
  readonly checkPassword?: (password: string) => void
  /** Tests pass a narrower hashing queue. */
  readonly passwords?: Passwords
}

const PAGE_SIZE = 30
const LARGEST_SETTINGS_BYTES = 256 * 1024

/**
 * Refuses addresses that look like another one: compatibility characters and control characters.
 */
function checkEmail(email: string): void {
  if (email.normalize('NFKC') !== email || /\p{C}/u.test(email))
    throw badRequest('The e-mail address contains characters that are not allowed.')
}

/** What clients keep of their interface for somebody. */
const createInterfaceSettings = (
  details: ReturnType<typeof createUserDetailStore>,
): Pick<Users, 'settings' | 'updateSettings'> => ({
  settings: (id) => {
    const value = details.settings(id)
    return value === null ? null : (JSON.parse(value) as Record<string, unknown>)
  },
  updateSettings: (id, settings) => {
    checkPlainJson(settings, 'What was sent')
    const stored = JSON.parse(details.settings(id) ?? '{}') as Record<string, unknown>
    const merged = { ...stored, ...settings }
    const value = JSON.stringify(merged)
    if (Buffer.byteLength(value) > LARGEST_SETTINGS_BYTES)
      throw tooLarge(`Interface settings may have ${LARGEST_SETTINGS_BYTES} bytes.`)
    details.setSettings(id, value)
    return merged
  },
})

/** New passwords have to fit the rules; those from before are hashed again as they are. */
const createHashNew =
  (passwords: Passwords, check: UsersDependencies['checkPassword']): Users['hashPassword'] =>
  async (password, line = 'known') => {
    check?.(password)
    return passwords.hash(password, line)
  }

/** Builds the domain on the tables of `0002-users` and `0009-api-key-extras`. */
export function createUsers({
  storage,
  log,
  checkPassword,
  passwords = createPasswords(),
}: UsersDependencies): Users {
  const store = createUserStore(storage)
  const details = createUserDetailStore(storage)
  const profiles = createProfiles(createProfileStore(storage))
  const listeners: ((userId: string) => void)[] = []
  const creationListeners: Parameters<Users['onCreated']>[0][] = []
  const announce = (id: string): void => listeners.forEach((listener) => listener(id))

  const existing = (id: string): UserRecord => {
    const user = store.get(id)
    if (!user) throw notFound('There is no such account.')
    return user
  }
  const requireFreeEmail = (email: string, ownId?: string): void => {
    checkEmail(email)
    const holder = store.findByEmail(email)
    if (holder && holder.id !== ownId)
      throw badRequest('This e-mail address is already registered.', { code: 'email_taken' })
  }
  const revokeSessions = (id: string): void => {
    store.raiseTokenVersion(id)
    announce(id)
  }

  return {
    create: (input) =>
      storage.transaction(() => {
        requireFreeEmail(input.email)
        const isFirst = input.firstBecomesAdmin === true && store.count() === 0
        const user = store.insert({
          name: input.name,
          email: input.email,
          role: isFirst ? 'admin' : input.role,
          isFirst,
        })
        if (input.passwordHash !== undefined) details.setPasswordHash(user.id, input.passwordHash)
        if (input.profile_image_url !== undefined)
          profiles.update(user.id, { profile_image_url: input.profile_image_url })
        for (const listener of creationListeners)
          listener(user, { isRegistration: input.isRegistration === true })
        return user
      }),
    get: store.get,
    findByEmail: store.findByEmail,
    first: store.first,
    count: store.count,
    countActive: () => store.countActiveSince(nowSeconds() - ACTIVE_SECONDS),
    list: ({ query = '', page = 1, ...options }) => {
      const place = { offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE }
      return store.page({
        order: 'created_at',
        direction: 'desc',
        ...options,
        query: query.trim().toLowerCase(),
        ...place,
      })
    },
    all: () =>
      store.page({ query: '', order: 'created_at', direction: 'asc', offset: 0, limit: -1 }).users,
    slice: (offset, limit) =>
      store.page({ query: '', order: 'created_at', direction: 'asc', offset, limit }).users,
    update: (id, { passwordHash, ...changes }, { evenFirst = false } = {}) => {
      const before = existing(id)
      const hasNewRole = changes.role !== undefined && changes.role !== before.role
      const endsSessions = hasNewRole || passwordHash !== undefined
      if (hasNewRole && before.isFirst && !evenFirst)
        throw forbidden('The first administrator keeps this role.')
      storage.transaction(() => {
        if (changes.email !== undefined) requireFreeEmail(changes.email, id)
        if (passwordHash !== undefined) details.setPasswordHash(id, passwordHash)
        store.update(id, changes)
        if (endsSessions) store.raiseTokenVersion(id)
      })
      if (endsSessions) announce(id)
      return existing(id)
    },
    remove: (id) => {
      const { isFirst, name } = existing(id)
      if (isFirst) throw forbidden('The account of the first administrator cannot be deleted.')
      const deletion = store.remove(id, name)
      announce(id)
      // Domains that read something of it meanwhile and keep it in memory have to forget it again.
      return storage.deletions.hidden(deletion).then(() => announce(id))
    },
    revokeSessions,
    onSessionsRevoked: (listener) => void listeners.push(listener),
    onCreated: (listener) => void creationListeners.push(listener),
    touch: createTouch({ log, write: store.setLastActive }),
    ...createInterfaceSettings(details),
    hashPassword: createHashNew(passwords, checkPassword),
    removePassword: (id) => details.removePasswordHash(id),
    hasPassword: (id) => details.passwordHash(id) !== null,
    findByPassword: createFindByPassword({ store, details, passwords }),
    profiles,
  }
}

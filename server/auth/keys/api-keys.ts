import { createHash } from 'node:crypto'
import type { ApiKey, ApiKeyLimits } from '#contract/auths.ts'
import type { Groups } from '../../groups/index.ts'
import { badRequest, forbidden, notFound } from '../../lib/errors.ts'
import type { Caller } from '../../lib/http.ts'
import { newId, nowSeconds, randomToken } from '../../lib/ids.ts'
import { whenReady } from '../../lib/timing/when-ready.ts'
import type { Storage } from '../../storage/index.ts'
import type { AuthSettings } from '../auth-settings.ts'
import type { UserRecord } from '../../users/index.ts'
import type { ApiKeyStore, StoredKey } from './api-key-store.ts'
import { refusal } from '../credentials.ts'
import { createReservation, type KeyUses, type Reservation } from './key-uses.ts'

type Owner = Pick<Caller, 'userId' | 'role'>

const DEFAULT_NAME = 'default'
const MOST_KEYS = 200
/**
 * Maximum number of keys cached without a database query; clients use the same few keys again and
 * again.
 */
const MOST_REMEMBERED = 1000

const UNLIMITED: ApiKeyLimits = Object.freeze({
  expires_at: null,
  allowed_endpoints: null,
  allowed_models: null,
  daily_requests: null,
  daily_tokens: null,
})

/** For a key that was deleted during its call. */
const UNCOUNTED = createReservation(() => undefined)

const hashKey = (secret: string): Buffer => createHash('sha256').update(secret).digest()

export const ownerOf = ({ id, role }: UserRecord): Owner => ({ userId: id, role })

/** Returns the requested limits, or null if there are none. */
function readLimits({
  name: _name,
  ...limits
}: { name: string } & Partial<ApiKeyLimits>): ApiKeyLimits | null {
  const set = Object.entries(limits).filter(([, value]) => value !== null && value !== undefined)
  return set.length === 0 ? null : { ...UNLIMITED, ...Object.fromEntries(set) }
}

const isOver = ({ limits }: StoredKey): boolean =>
  limits !== null && limits.expires_at !== null && limits.expires_at <= nowSeconds()

/** Cached keys by secret and by id; removing any key clears the cache. */
class RememberedKeys {
  readonly #store: ApiKeyStore
  readonly #bySecret = new Map<string, StoredKey>()
  readonly #byId = new Map<string, StoredKey>()
  /** Number of times the cache was cleared, because a key may be removed while it is read. */
  #changes = 0

  constructor(store: ApiKeyStore) {
    this.#store = store
  }

  forget(): void {
    this.#changes += 1
    this.#bySecret.clear()
    this.#byId.clear()
  }

  find(secret: string): StoredKey | null | Promise<StoredKey | null> {
    return this.#bySecret.get(secret) ?? this.#read(secret)
  }

  get(id: string): StoredKey | null | Promise<StoredKey | null> {
    return this.#byId.get(id) ?? this.#store.get(id)
  }

  async #read(secret: string): Promise<StoredKey | null> {
    const before = this.#changes
    const key = await this.#store.findByHash(hashKey(secret))
    if (!key || before !== this.#changes) return key
    if (this.#bySecret.size >= MOST_REMEMBERED) this.forget()
    this.#bySecret.set(secret, key)
    this.#byId.set(key.id, key)
    return key
  }
}

/** API keys of the users: shown once, stored as SHA-256. */
export class ApiKeys {
  readonly #storage: Storage
  readonly #store: ApiKeyStore
  readonly #settings: AuthSettings
  readonly #groups: Groups
  readonly #uses: KeyUses
  readonly #remembered: RememberedKeys

  constructor({
    storage,
    store,
    settings,
    groups,
    uses,
  }: {
    readonly storage: Storage
    readonly store: ApiKeyStore
    readonly settings: AuthSettings
    readonly groups: Groups
    readonly uses: KeyUses
  }) {
    this.#storage = storage
    this.#store = store
    this.#settings = settings
    this.#groups = groups
    this.#uses = uses
    this.#remembered = new RememberedKeys(store)
  }

  /** Clears the cache, because other gateways may have removed keys. */
  forgetRemembered(): void {
    this.#remembered.forget()
  }

  /** Returns null for an unknown or expired key. */
  find(secret: string): StoredKey | null | Promise<StoredKey | null> {
    return whenReady(this.#remembered.find(secret), (key) => (key && !isOver(key) ? key : null))
  }

  /**
   * Returns true if keys of this account work at all (administrators only need the global switch).
   * Accounts waiting for approval are refused elsewhere, so here they count as users.
   */
  areEnabledFor({ userId, role }: Owner): boolean | Promise<boolean> {
    return (
      this.#settings.get('ENABLE_API_KEYS') &&
      this.#groups.allows({ userId, role: role === 'pending' ? 'user' : role }, 'features.api_keys')
    )
  }

  requireEnabledFor(owner: Owner): Promise<void> | void {
    return whenReady(this.areEnabledFor(owner), (areEnabled) => {
      if (!areEnabled)
        throw forbidden('API keys are turned off. Ask an administrator to turn them on.', {
          code: 'keys_disabled',
        })
    })
  }

  async *list(userId: string): AsyncIterable<ApiKey> {
    for (const { limits, ...key } of await this.#store.list(userId)) {
      const last = this.#uses.last(key.id)
      const used = last && {
        last_used_at: last.lastUsedAt,
        last_used_by: last.program,
        last_used_from: last.address,
      }
      yield { ...key, ...used, ...(limits ?? UNLIMITED), today: await this.#uses.today(key.id) }
    }
  }

  async create(
    caller: Caller,
    options: { name: string } & Partial<ApiKeyLimits>,
  ): Promise<ApiKey & { api_key: string }> {
    await this.requireEnabledFor(caller)
    await this.#requireUnlimited(caller)
    const limits = readLimits(options)
    if (limits) this.#checkLimits(limits)
    const secret = `sk-${randomToken()}`
    const hint = `${secret.slice(0, 7)}…${secret.slice(-4)}`
    const key = { id: newId(), name: options.name, hint, created_at: nowSeconds() }
    // In one transaction, so that concurrent calls cannot pass the limit together.
    await this.#storage.transaction(async () => {
      if ((await this.#store.count(caller.userId)) >= MOST_KEYS)
        throw badRequest(`You have ${MOST_KEYS} keys. Delete one you no longer need first.`)
      await this.#store.insert({
        ...key,
        user_id: caller.userId,
        secret_hash: hashKey(secret),
        limits,
      })
    })
    const unused = {
      last_used_at: null,
      last_used_by: null,
      last_used_from: null,
      today: await this.#uses.today(key.id),
    }
    return { ...key, ...unused, ...(limits ?? UNLIMITED), api_key: secret }
  }

  async remove(userId: string, keyId: string): Promise<void> {
    if (!(await this.#removeById(userId, keyId))) throw notFound('There is no such key.')
  }

  /** Replaces the key named `default`, for old scripts that know one key per user. */
  async replaceDefault(caller: Caller): Promise<string> {
    await this.requireEnabledFor(caller)
    await this.#requireUnlimited(caller)
    // In one transaction, so that of concurrent calls one key is left.
    return this.#storage.transaction(async () => {
      await this.#removeByName(caller.userId, DEFAULT_NAME)
      return (await this.create(caller, { name: DEFAULT_NAME })).api_key
    })
  }

  async removeDefault(userId: string): Promise<void> {
    if (!(await this.#removeByName(userId, DEFAULT_NAME)))
      throw notFound('There is no key named "default".')
  }

  /** Returns true while a key exists and has not expired. */
  isCurrent(id: string): boolean | Promise<boolean> {
    return whenReady(this.#remembered.get(id), (key) => key !== null && !isOver(key))
  }

  /**
   * Returns true if the key of the request may use a model; sessions may use all models of their
   * owner.
   */
  mayUseModel({ keyId }: Pick<Caller, 'keyId'>, modelId: string): boolean | Promise<boolean> {
    if (keyId === null) return true
    return whenReady(
      this.#remembered.get(keyId),
      (key) => key !== null && (key.limits?.allowed_models?.includes(modelId) ?? true),
    )
  }

  /**
   * Returns true if a key has a daily token cap, or was deleted during the call, so that its cap is
   * not known any more.
   */
  hasTokenCap(keyId: string): boolean | Promise<boolean> {
    return whenReady(
      this.#remembered.get(keyId),
      (key) => key === null || (key.limits?.daily_tokens ?? null) !== null,
    )
  }

  /**
   * Reserves the tokens a call is expected to use; throws 429 if the daily cap of the key leaves
   * none.
   */
  reserveTokens(keyId: string, expected: number): Reservation | Promise<Reservation> {
    return whenReady(this.#remembered.get(keyId), (key) =>
      key === null ? UNCOUNTED : this.#uses.reserve(key, expected),
    )
  }

  // Every removal of a key calls one of these two methods; the keys of a deleted account fail
  // because the account is missing.
  async #removeById(userId: string, id: string): Promise<boolean> {
    this.#uses.forget(id)
    return this.#andForget(this.#store.remove(userId, id))
  }

  async #removeByName(userId: string, name: string): Promise<boolean> {
    return this.#andForget(this.#store.removeByName(userId, name))
  }

  /** Clears the cache once a key is gone: a call that reads it before would cache it again. */
  async #andForget(removing: Promise<boolean>): Promise<boolean> {
    try {
      return await removing
    } finally {
      this.#storage.afterCommit(() => this.#remembered.forget())
    }
  }

  /**
   * Otherwise a key could create one without its own limits. Throws 401 for a key that was deleted
   * during the call.
   */
  async #requireUnlimited({ keyId }: Caller): Promise<void> {
    if (keyId === null) return
    const key = await this.#remembered.get(keyId)
    if (!key) throw refusal()
    if (key.limits)
      throw forbidden('A key with limits cannot create keys. Sign in to create one.', {
        code: 'key_limited',
      })
  }

  #checkLimits(limits: ApiKeyLimits): void {
    if (!this.#settings.get('ENABLE_API_KEY_LIMITS'))
      throw forbidden(
        'API key limits are turned off. An administrator can turn on ENABLE_API_KEY_LIMITS.',
        { code: 'feature_off' },
      )
    if (limits.expires_at !== null && limits.expires_at <= nowSeconds())
      throw badRequest('The expiry date of a key must be in the future.')
  }
}

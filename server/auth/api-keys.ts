import { createHash } from 'node:crypto'
import type { ApiKey, ApiKeyLimits } from '#contract/auths.ts'
import type { Groups } from '../groups/index.ts'
import { badRequest, forbidden, notFound } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { newId, nowSeconds, randomToken } from '../lib/ids.ts'
import type { Settings } from '../settings/index.ts'
import type { UserRecord } from '../users/index.ts'
import type { ApiKeyStore, StoredKey } from './api-key-store.ts'
import type { KeyUses } from './key-uses.ts'

/** API keys of the users: shown once, kept as SHA-256. */
export interface ApiKeys {
  /** Null for a key nobody has and for one whose time is over. */
  find(secret: string): StoredKey | null
  /** Whether keys of this account work at all (admins need only the global switch). */
  areEnabledFor(owner: Owner): boolean
  requireEnabledFor(owner: Owner): void
  list(userId: string): Iterable<ApiKey>
  create(
    caller: Caller,
    options: { name: string } & Partial<ApiKeyLimits>,
  ): ApiKey & { api_key: string }
  remove(userId: string, keyId: string): void
  /** For old scripts that know one key per user: replaces the key named `default`. */
  replaceDefault(caller: Caller): string
  removeDefault(userId: string): void
  /** Whether the key a call was made with may use a model; sessions may use all of their owner. */
  mayUseModel(caller: Pick<Caller, 'keyId'>, modelId: string): boolean
  /** Whether a key has a daily cap of tokens. */
  hasTokenCap(keyId: string): boolean
}

type Owner = Pick<Caller, 'userId' | 'role'>

/** What API keys are built from. */
export interface ApiKeyDependencies {
  readonly store: ApiKeyStore
  readonly settings: Settings
  readonly groups: Pick<Groups, 'allows'>
  readonly uses: KeyUses
}

const DEFAULT_NAME = 'default'
const MOST_KEYS = 200
/**
 * Keys remembered without asking the database; programs call with the same few keys again and
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

const hashKey = (secret: string): Buffer => createHash('sha256').update(secret).digest()

export const ownerOf = ({ id, role }: UserRecord): Owner => ({ userId: id, role })

/** The limits that were asked for, or null when there is none. */
function readLimits({
  name: _name,
  ...limits
}: { name: string } & Partial<ApiKeyLimits>): ApiKeyLimits | null {
  const set = Object.entries(limits).filter(([, value]) => value !== null && value !== undefined)
  return set.length === 0 ? null : { ...UNLIMITED, ...Object.fromEntries(set) }
}

/** Keys by secret and by id as they were last read; whoever removes one has all forgotten. */
function createRemembered(store: ApiKeyStore) {
  const bySecret = new Map<string, StoredKey>()
  const byId = new Map<string, StoredKey>()
  const forget = (): void => {
    bySecret.clear()
    byId.clear()
  }
  return {
    forget,
    find: (secret: string): StoredKey | null => {
      const known = bySecret.get(secret)
      if (known) return known
      const key = store.findByHash(hashKey(secret))
      if (!key) return null
      if (bySecret.size >= MOST_REMEMBERED) forget()
      bySecret.set(secret, key)
      byId.set(key.id, key)
      return key
    },
    get: (id: string): StoredKey | null => byId.get(id) ?? store.get(id),
  }
}

export function createApiKeys({ store, settings, groups, uses }: ApiKeyDependencies): ApiKeys {
  const remembered = createRemembered(store)
  const isOver = ({ limits }: StoredKey): boolean =>
    limits !== null && limits.expires_at !== null && limits.expires_at <= nowSeconds()

  // Every removal of a key goes through one of these two; the keys of a deleted account fail with
  // the account.
  const removeById = (userId: string, id: string): boolean => {
    remembered.forget()
    uses.forget(id)
    return store.remove(userId, id)
  }
  const removeByName = (userId: string, name: string): boolean => {
    remembered.forget()
    return store.removeByName(userId, name)
  }
  // People who wait for approval may nothing yet; that is told apart from keys being switched off.
  const areEnabledFor = ({ userId, role }: Owner): boolean =>
    settings.boolean('ENABLE_API_KEYS') &&
    groups.allows({ userId, role: role === 'pending' ? 'user' : role }, 'features.api_keys')

  const requireEnabledFor = (owner: Owner): void => {
    if (!areEnabledFor(owner))
      throw forbidden('API keys are not enabled. Ask an administrator to switch them on.', {
        code: 'keys_disabled',
      })
  }
  /** Or a key could make itself one without its own limits. */
  const requireUnlimited = ({ keyId }: Caller): void => {
    if (keyId !== null && remembered.get(keyId)?.limits)
      throw forbidden('A key with limits cannot make keys. Sign in to make one.', {
        code: 'key_limited',
      })
  }
  const checkLimits = (limits: ApiKeyLimits): void => {
    if (!settings.boolean('ENABLE_API_KEY_LIMITS'))
      throw forbidden(
        'Limits of keys are switched off. An administrator can switch on ENABLE_API_KEY_LIMITS.',
        { code: 'feature_off' },
      )
    if (limits.expires_at !== null && limits.expires_at <= nowSeconds())
      throw badRequest('The end of a key must lie in the future.')
  }
  const create: ApiKeys['create'] = (caller, options) => {
    requireEnabledFor(caller)
    requireUnlimited(caller)
    const limits = readLimits(options)
    if (limits) checkLimits(limits)
    if (store.count(caller.userId) >= MOST_KEYS)
      throw badRequest(`You have ${MOST_KEYS} keys. Delete one you no longer need first.`)
    const secret = `sk-${randomToken()}`
    const hint = `${secret.slice(0, 7)}…${secret.slice(-4)}`
    const key = { id: newId(), name: options.name, hint, created_at: nowSeconds() }
    store.insert({ ...key, user_id: caller.userId, secret_hash: hashKey(secret), limits })
    const unused = {
      last_used_at: null,
      last_used_by: null,
      last_used_from: null,
      today: uses.today(key.id),
    }
    return { ...key, ...unused, ...(limits ?? UNLIMITED), api_key: secret }
  }

  return {
    find: (secret) => {
      const key = remembered.find(secret)
      return key && !isOver(key) ? key : null
    },
    areEnabledFor,
    requireEnabledFor,
    *list(userId) {
      for (const { limits, ...key } of store.list(userId)) {
        const last = uses.last(key.id)
        const used = last && {
          last_used_at: last.lastUsedAt,
          last_used_by: last.program,
          last_used_from: last.address,
        }
        yield { ...key, ...used, ...(limits ?? UNLIMITED), today: uses.today(key.id) }
      }
    },
    create,
    remove: (userId, keyId) => {
      if (!removeById(userId, keyId)) throw notFound('There is no such key.')
    },
    replaceDefault: (caller) => {
      requireEnabledFor(caller)
      requireUnlimited(caller)
      removeByName(caller.userId, DEFAULT_NAME)
      return create(caller, { name: DEFAULT_NAME }).api_key
    },
    removeDefault: (userId) => {
      if (!removeByName(userId, DEFAULT_NAME)) throw notFound('There is no key named "default".')
    },
    mayUseModel: ({ keyId }, modelId) => {
      if (keyId === null) return true
      const key = remembered.get(keyId)
      return key !== null && (key.limits?.allowed_models?.includes(modelId) ?? true)
    },
    hasTokenCap: (keyId) => remembered.get(keyId)?.limits?.daily_tokens != null,
  }
}

import { createHash } from 'node:crypto'
import type { ApiKey } from '#contract/auths.ts'
import type { Role } from '#contract/common.ts'
import { badRequest, forbidden, notFound } from '../lib/errors.ts'
import { newId, nowSeconds, randomToken } from '../lib/ids.ts'
import type { Settings } from '../settings/index.ts'
import type { ApiKeyStore, StoredKey } from './store.ts'

/** API keys of the users: shown once, kept as SHA-256. */
export interface ApiKeys {
  find(secret: string): StoredKey | null
  /** Whether keys of somebody with this role work at all (admins need only the global switch). */
  areEnabledFor(role: Role): boolean
  requireEnabledFor(role: Role): void
  list(userId: string): ApiKey[]
  create(owner: { userId: string; role: Role }, name: string): ApiKey & { api_key: string }
  remove(userId: string, keyId: string): void
  /** For old scripts that know one key per user: replaces the key named `default`. */
  replaceDefault(owner: { userId: string; role: Role }): string
  removeDefault(userId: string): void
}

const DEFAULT_NAME = 'default'
const MOST_KEYS = 200
/** Keys remembered without asking the database; programs call with the same few keys again and again. */
const MOST_REMEMBERED = 1000

const hashKey = (secret: string): Buffer => createHash('sha256').update(secret).digest()

export function createApiKeys({ store, settings }: { store: ApiKeyStore; settings: Settings }): ApiKeys {
  const remembered = new Map<string, StoredKey>()

  const find = (secret: string): StoredKey | null => {
    const known = remembered.get(secret)
    if (known) return known
    const key = store.findByHash(hashKey(secret))
    if (!key) return null
    if (remembered.size >= MOST_REMEMBERED) remembered.clear()
    remembered.set(secret, key)
    return key
  }
  // Every removal of a key goes through one of these two; the keys of a deleted account fail with the account.
  const removeById = (userId: string, id: string): boolean => {
    remembered.clear()
    return store.remove(userId, id)
  }
  const removeByName = (userId: string, name: string): boolean => {
    remembered.clear()
    return store.removeByName(userId, name)
  }
  const areEnabledFor = (role: Role): boolean =>
    settings.boolean('ENABLE_API_KEYS') && (role === 'admin' || settings.boolean('USER_PERMISSIONS_FEATURES_API_KEYS'))

  const requireEnabledFor = (role: Role): void => {
    if (!areEnabledFor(role))
      throw forbidden('API keys are not enabled. Ask an administrator to switch them on.', { code: 'keys_disabled' })
  }
  const create: ApiKeys['create'] = ({ userId, role }, name) => {
    requireEnabledFor(role)
    if (store.count(userId) >= MOST_KEYS) throw badRequest(`You have ${MOST_KEYS} keys. Delete one you no longer need first.`)
    const secret = `sk-${randomToken()}`
    const key = { id: newId(), name, hint: `${secret.slice(0, 7)}…${secret.slice(-4)}`, created_at: nowSeconds() }
    store.insert({ ...key, user_id: userId, secret_hash: hashKey(secret) })
    return { ...key, last_used_at: null, api_key: secret }
  }

  return {
    find,
    areEnabledFor,
    requireEnabledFor,
    list: (userId) => store.list(userId),
    create,
    remove: (userId, keyId) => {
      if (!removeById(userId, keyId)) throw notFound('There is no such key.')
    },
    replaceDefault: (owner) => {
      requireEnabledFor(owner.role)
      removeByName(owner.userId, DEFAULT_NAME)
      return create(owner, DEFAULT_NAME).api_key
    },
    removeDefault: (userId) => {
      if (!removeByName(userId, DEFAULT_NAME)) throw notFound('There is no key named "default".')
    },
  }
}

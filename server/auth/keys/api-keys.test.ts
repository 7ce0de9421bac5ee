import { afterEach, describe, expect, it } from 'vitest'
import type { Session } from '#contract/auths.ts'
import type { SettingValue } from '#contract/settings.ts'
import {
  bearer,
  startTestGateway,
  type TestGateway,
  SOME_REQUEST,
} from '../../testing/start-auth-gateway.ts'
import { createLogger } from '../../lib/logger.ts'
import { readWholeDatabase } from '../../testing/read-whole-database.ts'
import { ApiKeyStore } from './api-key-store.ts'
import { ApiKeys } from './api-keys.ts'
import { OwnKeyUses } from './key-uses.ts'

let gateway: TestGateway
let admin: Session
afterEach(() => gateway.close())

async function start(settings: Record<string, SettingValue> = {}): Promise<void> {
  gateway = await startTestGateway({ settings: { ENABLE_API_KEYS: true, ...settings } })
  admin = await gateway.signUp()
}
const createKey = (owner: Session | string, name = 'script') =>
  gateway.call('/api/v1/auths/api_keys', { body: { name }, headers: bearer(owner) })
const listKeys = (owner: Session | string) =>
  gateway.call('/api/v1/auths/api_keys', { headers: bearer(owner) })
const remove = (path: string, owner: Session) =>
  gateway.call(path, { method: 'DELETE', headers: bearer(owner) })

describe('named keys', () => {
  it('shows the key once, then only its hint', async () => {
    await start()
    const created = await createKey(admin, 'laptop')
    const key = created.body.api_key as string
    expect(key).toMatch(/^sk-[A-Za-z0-9]{43}$/)
    const listed = (await listKeys(admin)).body
    expect(listed).toEqual([
      {
        id: created.body.id,
        name: 'laptop',
        hint: `${key.slice(0, 7)}…${key.slice(-4)}`,
        created_at: created.body.created_at,
        last_used_at: null,
        last_used_by: null,
        last_used_from: null,
        expires_at: null,
        allowed_endpoints: null,
        allowed_models: null,
        daily_requests: null,
        daily_tokens: null,
        today: { requests: 0, tokens: 0, resets_at: created.body.today.resets_at },
      },
    ])
  })

  it('stores only the SHA-256 of a key: the whole database does not contain it', async () => {
    await start()
    const key = (await createKey(admin)).body.api_key as string
    expect(await readWholeDatabase(gateway.storage)).not.toContain(key.slice(3))
    expect((await listKeys(key)).status).toBe(200)
  })

  it('cannot become more than allowed by two calls at once', async () => {
    await start()
    const { storage, settings, groups } = gateway
    const store = new ApiKeyStore(storage)
    const uses = new OwnKeyUses(store, createLogger('silent'))
    const apiKeys = new ApiKeys({ storage, store, settings, groups, uses })
    const { id: userId, name, email } = admin
    const caller = {
      userId,
      name,
      email,
      role: 'admin',
      credential: 'bearer',
      keyId: null,
    } as const
    const create = () => apiKeys.create(caller, { name: 'script' })
    for (let count = 1; count < 200; count += 1) await create()
    const created = await Promise.allSettled([create(), create()])
    expect(created.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await Array.fromAsync(apiKeys.list(userId))).toHaveLength(200)
  })

  it('gives a key the same access as its owner, also after a role change', async () => {
    await start({ USER_PERMISSIONS_FEATURES_API_KEYS: true })
    const user = await gateway.addUser(admin, 'bo')
    const key = (await createKey(user)).body.api_key as string
    const listUsers = () => gateway.call('/api/v1/users/', { headers: bearer(key) })
    expect((await listUsers()).status).toBe(401)
    await gateway.users.update(user.id, { role: 'admin' })
    expect((await listUsers()).status).toBe(200)
    await gateway.users.update(user.id, { role: 'pending' })
    expect((await listKeys(key)).status).toBe(401)
  })

  it('deletes a key at once, on sockets too', async () => {
    await start()
    const { id, api_key: key } = (await createKey(admin)).body
    const live = await gateway.auth.liveCallers.byToken(key, SOME_REQUEST)
    expect(live).toMatchObject({ caller: { userId: admin.id, credential: 'key', keyId: id } })
    const announced: string[] = []
    gateway.auth.onRevoked(async (userId) => void announced.push(userId))
    expect((await remove(`/api/v1/auths/api_keys/${id}`, admin)).body).toBe(true)
    expect((await listKeys(key)).status).toBe(401)
    expect(await live!.isValid()).toBe(false)
    expect(announced).toEqual([admin.id])
    expect((await remove(`/api/v1/auths/api_keys/${id}`, admin)).status).toBe(404)
  })

  it("a foreign key's id is unknown: 404 and the key lives on", async () => {
    await start({ USER_PERMISSIONS_FEATURES_API_KEYS: true })
    const { id, api_key: key } = (await createKey(admin)).body
    const other = await gateway.addUser(admin, 'bo')
    expect((await remove(`/api/v1/auths/api_keys/${id}`, other)).status).toBe(404)
    expect((await listKeys(key)).status).toBe(200)
    expect((await listKeys(other)).body).toEqual([])
  })

  it('keys of a deleted account are gone', async () => {
    await start({ USER_PERMISSIONS_FEATURES_API_KEYS: true })
    const user = await gateway.addUser(admin, 'bo')
    const key = (await createKey(user)).body.api_key as string
    const live = await gateway.auth.liveCallers.byToken(key, SOME_REQUEST)
    await remove(`/api/v1/users/${user.id}`, admin)
    expect((await listKeys(key)).status).toBe(401)
    expect(await live!.isValid()).toBe(false)
  })
})

describe('who may have keys', () => {
  it('the global switch stops creating for everybody and using for everybody', async () => {
    await start()
    const key = (await createKey(admin)).body.api_key as string
    await gateway.settings.update({ ENABLE_API_KEYS: false })
    expect((await createKey(admin)).status).toBe(403)
    const used = await listKeys(key)
    expect(used.status).toBe(403)
    expect(used.body.detail).toContain('API keys are turned off')
    expect((await listKeys(admin)).status).toBe(200)
    expect((await gateway.call('/health', { headers: bearer(key) })).status).toBe(200)
  })

  it('people who are not administrators need the permission', async () => {
    await start()
    const user = await gateway.addUser(admin, 'bo')
    expect((await createKey(user)).status).toBe(403)
    await gateway.settings.update({ USER_PERMISSIONS_FEATURES_API_KEYS: true })
    const key = (await createKey(user)).body.api_key as string
    expect((await listKeys(key)).status).toBe(200)
    await gateway.settings.update({ USER_PERMISSIONS_FEATURES_API_KEYS: false })
    expect((await listKeys(key)).status).toBe(403)
  })

  it('is off on a server and on in the desktop app', async () => {
    gateway = await startTestGateway()
    expect((await createKey(await gateway.signUp())).status).toBe(403)
    await gateway.close()
    gateway = await startTestGateway({ mode: 'desktop' })
    const owner = await gateway.call('/api/v1/auths/desktop', {
      body: { code: await gateway.auth.accounts.createDesktopCode() },
    })
    expect((await createKey(owner.body as Session)).status).toBe(200)
  })

  it('a program with a wrong key hears 401, then 429; good keys of the same address go on working', async () => {
    await start()
    const key = (await createKey(admin)).body.api_key as string
    const statuses: number[] = []
    for (let round = 0; round < 60; round += 1)
      statuses.push(
        ...(await Promise.all(
          Array.from({ length: 20 }, async () => (await listKeys('sk-wrong')).status),
        )),
      )
    expect(statuses.every((status) => status === 401)).toBe(true)
    expect((await listKeys('sk-wrong')).status).toBe(429)
    expect((await listKeys(key)).status).toBe(200)
  })
})

describe('the key of old scripts', () => {
  const PATH = '/api/v1/auths/api_key'
  it('is replaced by POST, never shown again by GET, and revoked by DELETE', async () => {
    await start()
    const create = () => gateway.call(PATH, { method: 'POST', headers: bearer(admin) })
    const first = (await create()).body.api_key as string
    const second = (await create()).body.api_key as string
    expect((await listKeys(first)).status).toBe(401)
    expect((await listKeys(second)).body).toMatchObject([{ name: 'default' }])
    expect((await gateway.call(PATH, { headers: bearer(admin) })).status).toBe(404)
    expect((await remove(PATH, admin)).body).toBe(true)
    expect((await listKeys(second)).status).toBe(401)
    expect((await remove(PATH, admin)).status).toBe(404)
  })

  it('answers 403 while keys are off', async () => {
    await start({ ENABLE_API_KEYS: false })
    expect((await gateway.call(PATH, { method: 'POST', headers: bearer(admin) })).status).toBe(403)
    expect((await gateway.call(PATH, { headers: bearer(admin) })).status).toBe(403)
  })
})

describe('the endpoint allow-list', () => {
  const restrict = (list: SettingValue) =>
    gateway.settings.update({
      ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS: true,
      API_KEYS_ALLOWED_ENDPOINTS: list,
    })

  it('row 64: gives the same verdict in every place a key can stand, and 401 outside the list', async () => {
    await start()
    const key = (await createKey(admin)).body.api_key as string
    await restrict(' /api/models/ , /api/v1/chats,, /api/models ')
    const places = [
      bearer(key),
      { 'x-api-key': key },
      { cookie: `token=${key}` },
      { ...bearer(key), 'x-api-key': 'sk-other' },
    ]
    for (const headers of places) {
      for (const path of [
        '/api/models',
        '/api/v1/models',
        '/api/v1/chats/',
        '/api/v1/chats/some-id',
      ]) {
        expect([path, (await gateway.call(path, { headers })).status]).toEqual([path, 200])
      }
      for (const path of [
        '/api/v1/users/',
        '/api/v1/auths/',
        '/api/v1/auths/api_keys',
        '/api/v1/settings',
      ]) {
        expect([path, (await gateway.call(path, { headers })).status]).toEqual([path, 401])
      }
    }
  })

  it('row 65: reads the matched route, not what the request says about its address', async () => {
    await start()
    const key = (await createKey(admin)).body.api_key as string
    await restrict('/api/models')
    const headers = {
      ...bearer(key),
      'x-forwarded-uri': '/api/models',
      'x-original-url': '/api/models',
      'x-rewrite-url': '/api/models',
    }
    for (const suffix of [
      '',
      '?/api/models',
      '?path=/api/models',
      '#/api/models',
      '/../../../models',
    ]) {
      expect((await gateway.call(`/api/v1/users/${suffix}`, { headers })).status).toSatisfy(
        (status) => status === 401 || status === 404,
      )
    }
  })

  it('switched on with an empty list, allows nothing but the public endpoints; sockets included', async () => {
    await start()
    const key = (await createKey(admin)).body.api_key as string
    const live = await gateway.auth.liveCallers.byToken(key, SOME_REQUEST)
    await restrict('')
    expect((await gateway.call('/api/models', { headers: bearer(key) })).status).toBe(401)
    expect((await gateway.call('/health', { headers: bearer(key) })).status).toBe(200)
    expect(await live!.isValid()).toBe(false)
    expect(await gateway.auth.liveCallers.byToken(key, SOME_REQUEST)).toBeNull()
    await restrict('/ws')
    expect(await gateway.auth.liveCallers.byToken(key, SOME_REQUEST)).not.toBeNull()
  })

  it('matches whole segments and never restricts session tokens', async () => {
    await start()
    const key = (await createKey(admin)).body.api_key as string
    await restrict('/api/v1/chat')
    expect((await gateway.call('/api/v1/chats/', { headers: bearer(key) })).status).toBe(401)
    expect((await gateway.call('/api/v1/chats/', { headers: bearer(admin) })).status).toBe(200)
  })
})

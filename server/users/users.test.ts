import { hash as argon2Hash } from '@node-rs/argon2'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createLogger } from '../lib/logger.ts'
import type { Storage } from '../storage/index.ts'
import { createTestStorage } from '../testing/create-test-storage.ts'
import { Users } from './index.ts'
import { Passwords } from './passwords.ts'

let storage: Storage
let users: Users
beforeEach(() => {
  storage = createTestStorage()
  users = new Users({ storage, log: createLogger('silent') })
})
const create = (name: string, role: 'admin' | 'user' = 'user') =>
  users.create({ name, email: `${name}@example.org`, role, firstBecomesAdmin: true })

describe('accounts', () => {
  it('the first becomes admin, later ones get their role', async () => {
    expect(await create('ada')).toMatchObject({ role: 'admin', isFirst: true })
    expect(await create('bo')).toMatchObject({ role: 'user', isFirst: false })
    expect((await users.first())?.name).toBe('ada')
  })

  it('the first admin keeps role and account', async () => {
    const { id } = await create('ada')
    await expect(() => users.update(id, { role: 'user' })).rejects.toThrow('cannot be changed')
    await expect(users.remove(id)).rejects.toThrow('cannot be deleted')
    expect(await users.update(id, { name: 'Countess', role: 'admin' })).toMatchObject({
      name: 'Countess',
      tokenVersion: 1,
    })
  })

  it('an e-mail address belongs to one account; nothing is half changed when it is taken', async () => {
    await create('ada')
    const { id } = await create('bo')
    await expect(() =>
      users.update(id, { name: 'New', role: 'admin', email: 'ada@example.org' }),
    ).rejects.toThrow('already registered')
    expect(await users.get(id)).toMatchObject({ name: 'bo', role: 'user', tokenVersion: 1 })
    expect((await users.update(id, { email: 'bo@example.org' })).email).toBe('bo@example.org')
  })

  it('a new role or password and deletion end the sessions and are announced', async () => {
    await create('ada')
    const { id } = await create('bo')
    const announced: string[] = []
    users.onSessionsRevoked(async (userId) => void announced.push(userId))
    expect((await users.update(id, { name: 'Bo' })).tokenVersion).toBe(1)
    expect((await users.update(id, { role: 'admin' })).tokenVersion).toBe(2)
    expect((await users.update(id, { passwordHash: 'x' })).tokenVersion).toBe(3)
    await users.revokeSessions(id)
    expect((await users.get(id))?.tokenVersion).toBe(4)
    await users.remove(id)
    expect(await users.get(id)).toBeNull()
    // A deletion is announced once more when everything the account owned is hidden.
    expect(announced).toEqual([id, id, id, id, id])
  })

  it('listeners are told which accounts were deleted, and which may no longer sign in', async () => {
    await create('ada')
    const { id } = await create('bo')
    const told: string[] = []
    users.onRemoved(async (userId) => void told.push(`removed ${userId}`))
    users.onBarred((userId, reason) => void told.push(`${reason} ${userId}`))
    await users.update(id, { role: 'admin' })
    await users.revokeSessions(id)
    expect(told).toEqual([])
    await users.update(id, { role: 'pending' })
    expect(told).toEqual([`pending ${id}`])
    await users.remove(id)
    const removal = [`removed ${id}`, `deleted ${id}`]
    expect(told.slice(1)).toEqual([...removal, ...removal])
  })

  it('a change that comes while an account is deleted brings nothing of it back', async () => {
    await create('ada')
    const { id } = await create('bo')
    const removal = users.remove(id)
    const change = users.update(id, { role: 'admin', email: 'bo@example.org' })
    const [{ status }] = await Promise.allSettled([change, removal])
    // On PostgreSQL the change may also come before the removal.
    expect(storage.engine === 'sqlite' ? ['rejected'] : ['rejected', 'fulfilled']).toContain(status)
    await removal
    expect(users.cached.roleOf(id)).toBeNull()
    expect(await users.findByEmail('bo@example.org')).toBeNull()
  })

  it('two changes of interface settings at once are both kept', async () => {
    const { id } = await create('ada')
    await Promise.all([
      users.updateSettings(id, { ui: { theme: 'dark' } }),
      users.updateSettings(id, { other: 1 }),
    ])
    expect(await users.settings(id)).toEqual({ ui: { theme: 'dark' }, other: 1 })
  })

  it('lists 30 a page and finds by name and address; wildcards are plain characters', async () => {
    for (let index = 0; index < 35; index += 1) await create(`person${index}`)
    await create('100%_sure')
    expect((await users.list({})).users).toHaveLength(30)
    expect((await users.list({ page: 2 })).users).toHaveLength(6)
    expect(await users.list({ query: 'PERSON3' })).toMatchObject({ total: 6 })
    expect(await users.list({ query: '%' })).toMatchObject({ total: 1 })
    expect((await users.list({ query: '0%_S' })).users[0]?.name).toBe('100%_sure')
    expect((await users.list({ page: 1_000_000 })).users).toEqual([])
  })

  it('notes the last use at most once a minute and a little later', async () => {
    vi.useFakeTimers()
    const { id } = await create('ada')
    users.touch(id)
    expect((await users.get(id))?.last_active_at).toBeNull()
    await vi.advanceTimersByTimeAsync(2000)
    const lastUse = async () => (await users.get(id))!.last_active_at
    await expect.poll(lastUse).not.toBeNull()
    const first = (await lastUse())!
    await vi.advanceTimersByTimeAsync(30_000)
    users.touch(id)
    await vi.advanceTimersByTimeAsync(2000)
    expect((await users.get(id))!.last_active_at).toBe(first)
    await vi.advanceTimersByTimeAsync(60_000)
    users.touch(id)
    await vi.advanceTimersByTimeAsync(2000)
    await expect.poll(lastUse).toBeGreaterThan(first)
    users.touch((await create('bo')).id)
    storage.close()
    await expect(vi.runAllTimersAsync()).resolves.toBeDefined()
    vi.useRealTimers()
  })

  it('raises the cost of an old hash at the next sign-in', async () => {
    const passwordHash = await argon2Hash('secret', {
      memoryCost: 8192,
      timeCost: 1,
      parallelism: 1,
    })
    const { id } = await users.create({
      name: 'Ada',
      email: 'ada@example.org',
      role: 'user',
      passwordHash,
    })
    expect((await users.findByPassword('ada@example.org', 'secret'))?.id).toBe(id)
    const [row] = await storage.all(storage.builder.selectFrom('user_password').select('hash'))
    expect(row?.hash).toContain('m=19456,t=2')
    expect((await users.findByPassword('ada@example.org', 'secret'))?.id).toBe(id)
  })

  it('a password that is changed while it is being checked signs nobody in any more', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const passwords = Object.assign(new Passwords(), {
      hash: () => Promise.resolve('hash'),
      verify: () => promise,
      needsRehash: () => Promise.resolve(true),
    })
    users = new Users({ storage, log: createLogger('silent'), passwords })
    const { id } = await users.create({
      name: 'Ada',
      email: 'ada@example.org',
      role: 'user',
      passwordHash: 'old',
    })
    const found = users.findByPassword('ada@example.org', 'secret')
    await users.update(id, { passwordHash: 'new' })
    resolve(true)
    expect(await found).toBeNull()
    expect(await storage.all(storage.builder.selectFrom('user_password').select('hash'))).toEqual([
      { hash: 'new' },
    ])
  })
})

import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { toServiceError } from '../lib/serving/to-error.ts'
import { createTestStorage } from '../testing/create-test-storage.ts'

describe('storage', () => {
  it('runs built queries and answers rows', async () => {
    const storage = createTestStorage()
    const insert = storage.builder
      .insertInto('setting')
      .values({ key: 'A', value: '1', updated_at: 1 })
    expect(await storage.run(insert)).toBe(1)
    expect(await storage.get(storage.builder.selectFrom('setting').selectAll())).toEqual({
      key: 'A',
      value: '1',
      updated_at: 1,
    })
    expect(await storage.all(storage.builder.selectFrom('setting').select('key'))).toEqual([
      { key: 'A' },
    ])
    expect(
      await storage.get(storage.builder.selectFrom('setting').selectAll().where('key', '=', 'B')),
    ).toBeUndefined()
  })

  it('adds, finds, changes and removes rows by their id or values', async () => {
    const storage = createTestStorage()
    const group = (id: string, name: string) => ({
      id,
      user_id: null,
      name,
      description: 'all',
      permissions: '{}',
      data: '{}',
      meta: '{}',
      created_at: 1,
      updated_at: 1,
    })
    const groups = [group('a', 'A'), group('b', 'B'), group('c', 'C')]
    expect(await storage.insert('user_group', groups)).toBe(3)
    expect(await storage.find('user_group', 'b')).toEqual(group('b', 'B'))
    expect(await storage.find('user_group', { description: 'all', name: 'B' })).toEqual(
      group('b', 'B'),
    )
    expect(await storage.find('user_group', { description: 'none', name: 'B' })).toBeNull()
    expect(await storage.update('user_group', 'a', { name: 'D' })).toBe(1)
    expect(await storage.update('user_group', 'z', { name: 'D' })).toBe(0)
    expect(
      await storage.update('user_group', { name: 'D' }, (former) => ({
        updated_at: former('updated_at', '+', 1),
      })),
    ).toBe(1)
    expect(await storage.find('user_group', 'a')).toEqual({ ...group('a', 'D'), updated_at: 2 })
    expect(await storage.remove('user_group', { name: undefined })).toBe(0)
    expect(() => storage.remove('user_group', {})).toThrow('needs a value')
    expect(await storage.remove('user_group', { description: 'all', name: 'C' })).toBe(1)
    expect(await storage.count(storage.builder.selectFrom('user_group'))).toBe(2)
    expect(await storage.remove('user_group', 'a')).toBe(1)
  })

  it('undoes everything when a transaction throws, and only the inner part of a nested one', async () => {
    const storage = createTestStorage()
    const add = (key: string) =>
      storage.run(storage.builder.insertInto('setting').values({ key, value: '1', updated_at: 1 }))
    const fail = () => {
      throw new Error('no')
    }
    await expect(storage.transaction(async () => [await add('A'), fail()])).rejects.toThrow('no')
    await storage.transaction(async () => {
      await add('B')
      await expect(storage.transaction(async () => [await add('C'), fail()])).rejects.toThrow('no')
    })
    expect(await storage.all(storage.builder.selectFrom('setting').select('key'))).toEqual([
      { key: 'B' },
    ])
  })

  it('binds booleans as numbers', async () => {
    const storage = createTestStorage()
    const row = await storage.get(storage.builder.selectNoFrom(sql<number>`${true}`.as('flag')))
    expect(row).toEqual({ flag: 1 })
  })

  it('keeps answering when more query texts are used than statements are kept', async () => {
    const storage = createTestStorage()
    for (let length = 1; length <= 600; length++) {
      const keys = Array.from({ length }, (_, index) => String(index))
      expect(
        await storage.all(
          storage.builder.selectFrom('setting').select('key').where('key', 'in', keys),
        ),
      ).toEqual([])
    }
  })

  it('R7: answers 507 when there is no room, goes on reading, and writes again when there is', async () => {
    const storage = createTestStorage()
    const add = (key: string) =>
      storage.run(
        storage.builder
          .insertInto('setting')
          .values({ key, value: 'x'.repeat(50_000), updated_at: 1 }),
      )
    await add('before')
    storage.sqlite.pragma(
      `max_page_count = ${String(storage.sqlite.pragma('page_count', { simple: true }))}`,
    )
    const catchStatus = async () => {
      try {
        return await add('full')
      } catch (error) {
        return toServiceError(error).status
      }
    }
    expect(await catchStatus()).toBe(507)
    expect(await storage.all(storage.builder.selectFrom('setting').select('key'))).toEqual([
      { key: 'before' },
    ])
    storage.sqlite.pragma('max_page_count = 100000')
    expect(await catchStatus()).toBe(1)
  })

  it('syncs every commit and enforces foreign keys', () => {
    const { sqlite } = createTestStorage()
    expect(sqlite.pragma('synchronous', { simple: true })).toBe(2)
    expect(sqlite.pragma('foreign_keys', { simple: true })).toBe(1)
    expect(sqlite.pragma('busy_timeout', { simple: true })).toBe(5000)
  })
})

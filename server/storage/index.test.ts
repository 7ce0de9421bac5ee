import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { toServiceError } from '../lib/to-error.ts'
import { createTestStorage } from '../testing/create-test-storage.ts'

describe('storage', () => {
  it('runs built queries and answers rows', () => {
    const storage = createTestStorage()
    const insert = storage.builder
      .insertInto('setting')
      .values({ key: 'A', value: '1', updated_at: 1 })
    expect(storage.run(insert)).toBe(1)
    expect(storage.get(storage.builder.selectFrom('setting').selectAll())).toEqual({
      key: 'A',
      value: '1',
      updated_at: 1,
    })
    expect(storage.all(storage.builder.selectFrom('setting').select('key'))).toEqual([{ key: 'A' }])
    expect(
      storage.get(storage.builder.selectFrom('setting').selectAll().where('key', '=', 'B')),
    ).toBeUndefined()
  })

  it('undoes everything when a transaction throws, and only the inner part of a nested one', () => {
    const storage = createTestStorage()
    const add = (key: string) =>
      storage.run(storage.builder.insertInto('setting').values({ key, value: '1', updated_at: 1 }))
    const fail = () => {
      throw new Error('no')
    }
    expect(() => storage.transaction(() => [add('A'), fail()])).toThrow('no')
    storage.transaction(() => {
      add('B')
      expect(() => storage.transaction(() => [add('C'), fail()])).toThrow('no')
    })
    expect(storage.all(storage.builder.selectFrom('setting').select('key'))).toEqual([{ key: 'B' }])
  })

  it('binds booleans as numbers', () => {
    const storage = createTestStorage()
    const row = storage.get(storage.builder.selectNoFrom(sql<number>`${true}`.as('flag')))
    expect(row).toEqual({ flag: 1 })
  })

  it('keeps answering when more query texts are used than statements are kept', () => {
    const storage = createTestStorage()
    for (let length = 1; length <= 600; length++) {
      const keys = Array.from({ length }, (_, index) => String(index))
      expect(
        storage.all(storage.builder.selectFrom('setting').select('key').where('key', 'in', keys)),
      ).toEqual([])
    }
  })

  it('R7: answers 507 when there is no room, goes on reading, and writes again when there is', () => {
    const storage = createTestStorage()
    const add = (key: string) =>
      storage.run(
        storage.builder
          .insertInto('setting')
          .values({ key, value: 'x'.repeat(50_000), updated_at: 1 }),
      )
    add('before')
    storage.sqlite.pragma(
      `max_page_count = ${String(storage.sqlite.pragma('page_count', { simple: true }))}`,
    )
    const catchStatus = () => {
      try {
        return add('full')
      } catch (error) {
        return toServiceError(error).status
      }
    }
    expect(catchStatus()).toBe(507)
    expect(storage.all(storage.builder.selectFrom('setting').select('key'))).toEqual([
      { key: 'before' },
    ])
    storage.sqlite.pragma('max_page_count = 100000')
    expect(catchStatus()).toBe(1)
  })

  it('syncs every commit and enforces foreign keys', () => {
    const { sqlite } = createTestStorage()
    expect(sqlite.pragma('synchronous', { simple: true })).toBe(2)
    expect(sqlite.pragma('foreign_keys', { simple: true })).toBe(1)
    expect(sqlite.pragma('busy_timeout', { simple: true })).toBe(5000)
  })
})

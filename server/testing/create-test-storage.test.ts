import type Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openStorage } from '../storage/index.ts'
import { createTestStorage } from './create-test-storage.ts'

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Returns everything in a database except the times at which its migration steps ran. */
function readAll({ sqlite }: { sqlite: Sqlite.Database }) {
  const entries = sqlite
    .prepare('select type, name, tbl_name, sql from sqlite_schema order by name')
    .all() as { type: string; name: string }[]
  const tables = entries.filter(({ type }) => type === 'table')
  const rows = tables.map(({ name }) => {
    const found = sqlite.prepare(`select * from ${quoteName(name)}`).all() as object[]
    return [name, found.map((row) => ('applied_at' in row ? { ...row, applied_at: 0 } : row))]
  })
  const numbers = ['user_version', 'application_id', 'foreign_keys'].map((name) =>
    sqlite.pragma(name),
  )
  return { entries, rows: Object.fromEntries(rows) as unknown, numbers }
}

test('the database of tests is the one that the steps of the schema make', () => {
  const made = openStorage({ path: ':memory:' })
  const storage = createTestStorage()
  expect(readAll(storage)).toEqual(readAll(made))
  expect(storage.sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
  for (const each of [made, storage]) each.close()
})

test('each test has a database of its own', () => {
  const [one, other] = [createTestStorage(), createTestStorage()]
  one.sqlite.exec("insert into setting (key, value, updated_at) values ('A', '1', 1)")
  expect(other.sqlite.prepare('select * from setting').all()).toEqual([])
  for (const each of [one, other]) each.close()
})

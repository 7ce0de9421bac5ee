import path from 'node:path'
import { expect, it } from 'vitest'
import { createTemporaryFolder } from '../../testing/create-temporary-folder.ts'
import { openDatabase } from '../open-database.ts'
import { migrations } from './all.ts'

it('the upgrade keeps what is still to be deleted, once each, and takes channels among it', () => {
  const step = migrations.findIndex(({ id }) => id.endsWith('channels'))
  const file = path.join(createTemporaryFolder(), 'test.db')
  const before = openDatabase({ path: file, migrations: migrations.slice(0, step), recovery: null })
  before.exec(
    "insert into deletion (id, kind, subject, title, created_at) values (7, 'account', 'u', 'Ada', 1), (9, 'file', 'f', '', 2)",
  )
  expect(() =>
    before.exec(
      "insert into deletion (kind, subject, title, created_at) values ('channel', 'c', '', 1)",
    ),
  ).toThrow('CHECK')
  before.close()

  const after = openDatabase({ path: file, migrations: [...migrations], recovery: null })
  after.exec(
    "insert into deletion (kind, subject, title, created_at) values ('channel', 'c', 'team', 3)",
  )
  expect(() =>
    after.exec(
      "insert into deletion (kind, subject, title, created_at) values ('file', 'f', '', 1)",
    ),
  ).toThrow('UNIQUE')
  expect(
    after
      .prepare('select id, kind, subject, title, created_at from deletion order by id')
      .raw()
      .all(),
  ).toEqual([
    [7, 'account', 'u', 'Ada', 1],
    [9, 'file', 'f', '', 2],
    [10, 'channel', 'c', 'team', 3],
  ])
  after.close()
})

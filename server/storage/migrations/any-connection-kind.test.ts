import path from 'node:path'
import { expect, it } from 'vitest'
import { createTemporaryFolder } from '../../testing/create-temporary-folder.ts'
import { openDatabase } from '../open-database.ts'
import { migrations } from './all.ts'

it('the upgrade keeps connections in their order with all that was set, and takes any kind from then on', () => {
  const step = migrations.findIndex(({ id }) => id.endsWith('any-connection-kind'))
  const file = path.join(createTemporaryFolder(), 'test.db')
  const before = openDatabase({ path: file, migrations: migrations.slice(0, step), recovery: null })
  const add = (id: string, kind: string) =>
    `insert into connection values ('${id}', '${kind}', 'Name', 'http://example.org', 1, 'p', '[]', 'h', 'k', 60, 1, 2, 'local', 'everybody', 0, 'AA')`
  before.exec(add('b', 'messages'))
  before.exec(add('a', 'runtime'))
  expect(() => before.exec(add('c', 'example'))).toThrow('CHECK constraint failed')
  const read = (database: typeof before): unknown[] =>
    database.prepare('select * from connection order by rowid').all()
  const kept = read(before)
  before.close()

  const after = openDatabase({ path: file, migrations: [...migrations], recovery: null })
  expect(read(after)).toEqual(kept)
  after.exec(add('c', 'example'))
  expect(read(after)).toHaveLength(3)
  expect(() => after.exec(add('d', 'x').replace(', 1, ', ', 7, '))).toThrow('CHECK constraint')
  after.close()
})

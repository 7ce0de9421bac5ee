import path from 'node:path'
import { expect, it } from 'vitest'
import { createTemporaryFolder } from '../../testing/create-temporary-folder.ts'
import { openDatabase } from '../open-database.ts'
import { migrations } from './all.ts'

it('the upgrade signs out browsers, whose cookies were whole credentials until then, and leaves programs signed in', () => {
  const step = migrations.findIndex(({ id }) => id.endsWith('browser-sessions'))
  const file = path.join(createTemporaryFolder(), 'test.db')
  const before = openDatabase({ path: file, migrations: migrations.slice(0, step), recovery: null })
  before.exec(
    `insert into user (id, email, name, role, is_first, created_at, updated_at) values ('u', 'a@b', 'Ada', 'admin', 1, 1, 1)`,
  )
  const insert = before.prepare('insert into user_session values (?, ?, 1, 1, 1, ?, ?, ?)')
  insert.run('page', 'u', 9, 'Mozilla/5.0 (X11; Linux x86_64)', '127.0.0.1')
  insert.run('endless', 'u', null, 'Mozilla/5.0 Electron/45', '127.0.0.1')
  insert.run('script', 'u', 9, 'python-requests/2.32', '127.0.0.1')
  before.close()

  const after = openDatabase({ path: file, migrations: [...migrations], recovery: null })
  expect(after.prepare('select jti from user_session').pluck().all()).toEqual(['script'])
  expect(
    after.prepare('select jti, user_id, expires_at from revoked_token order by jti').all(),
  ).toEqual([
    { jti: 'endless', user_id: 'u', expires_at: null },
    { jti: 'page', user_id: 'u', expires_at: 9 },
  ])
  after.close()
})

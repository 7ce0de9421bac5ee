import path from 'node:path'
import { expect, test } from 'vitest'
import { migrations } from '../storage/migrations/all.ts'
import { openDatabase } from '../storage/open-database.ts'
import { createTemporaryFolder } from '../testing/create-temporary-folder.ts'

test('the author of a tool others could change before authors were kept is not known; else it is the owner', () => {
  const file = path.join(createTemporaryFolder(), 'old.db')
  const step = migrations.findIndex(({ id }) => id.endsWith('plugin-authors'))
  const old = openDatabase({ path: file, migrations: migrations.slice(0, step), recovery: null })
  const insert = old.prepare(
    'insert into plugin (store, id, user_id, name, kind, content, meta, description, is_active, is_global, created_at, updated_at) ' +
      "values (?, ?, 'ada', '', ?, '', '{}', '{}', 1, 0, 1, 1)",
  )
  for (const id of ['own', 'readable', 'writable']) insert.run('tool', id, 'tool')
  insert.run('function', 'pipe', 'pipe')
  const share = old.prepare(
    "insert into access_grant (resource_type, resource_id, principal_type, principal_id, permission) values ('tool', ?, 'user', '*', ?)",
  )
  share.run('readable', 'read')
  share.run('writable', 'write')
  old.close()
  const opened = openDatabase({ path: file, migrations: [...migrations], recovery: null })
  const authors = opened.prepare('select id, author_id from plugin order by id').all()
  opened.close()
  expect(authors).toEqual([
    { id: 'own', author_id: 'ada' },
    { id: 'pipe', author_id: 'ada' },
    { id: 'readable', author_id: 'ada' },
    { id: 'writable', author_id: '' },
  ])
})

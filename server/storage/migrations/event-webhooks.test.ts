import path from 'node:path'
import { expect, it } from 'vitest'
import { createTemporaryFolder } from '../../testing/create-temporary-folder.ts'
import { openDatabase } from '../open-database.ts'
import { migrations } from './all.ts'

it('the upgrade keeps what is on its way and what ended last, and lets deliveries go with the address of events they go to', () => {
  const step = migrations.findIndex(({ id }) => id.endsWith('event-webhooks'))
  const file = path.join(createTemporaryFolder(), 'test.db')
  const before = openDatabase({ path: file, migrations: migrations.slice(0, step), recovery: null })
  const columns =
    '(id, user_id, kind, facts, state, attempts, next_attempt_at, status, problem, created_at, finished_at)'
  before.exec(
    `insert into webhook_delivery ${columns} values ('b', null, 'new_user', '{}', 'waiting', 1, 5, null, null, 1, null)`,
  )
  before.exec(
    `insert into webhook_delivery ${columns} values ('a', null, 'test', '', 'failed', 1, 5, 500, 'No.', 1, 2)`,
  )
  before.close()

  const after = openDatabase({ path: file, migrations: [...migrations], recovery: null })
  const rows = () =>
    after
      .prepare(
        'select id, hook_id, kind, state, attempts, status, problem from webhook_delivery order by rowid',
      )
      .raw()
      .all()
  const kept = [
    ['b', null, 'new_user', 'waiting', 1, null, null],
    ['a', null, 'test', 'failed', 1, 500, 'No.'],
  ]
  expect(rows()).toEqual(kept)
  after.exec(
    "insert into event_webhook values ('h', 'Audit', 'http://example.org', 1, '[\"*\"]', null, 1, 1)",
  )
  after.exec(
    "insert into webhook_delivery (id, hook_id, kind, facts, state, attempts, next_attempt_at, created_at) values ('c', 'h', 'chat.created', '{}', 'waiting', 0, 5, 1)",
  )
  expect(rows()).toHaveLength(3)
  after.exec("delete from event_webhook where id = 'h'")
  expect(rows()).toEqual(kept)
  after.close()
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createTemporaryFolder, folderOnDisk } from '../../testing/create-temporary-folder.ts'
import { findFileFault } from '../damage/find-fault.ts'
import { openStorage, type Storage } from '../index.ts'

const CYCLES = 4
const CHATS = 150
const MESSAGES = 40

const GO_ON = `
  import { writeSync } from 'node:fs'
  const { openStorage } = await import('../index.ts')
  const storage = openStorage({ path: process.argv[1] })
  const awake = setInterval(() => {}, 1000)
  storage.deletions.onErased(() => writeSync(1, '.'))
  storage.deletions.resume()
  await storage.deletions.settled()
  clearInterval(awake)
  storage.close()
`

/** Lets a separate process continue the work, and kills it some time after it has started. */
async function goOnUntilKilled(file: string, milliseconds: number | null): Promise<void> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', GO_ON, '--', file], {
    cwd: import.meta.dirname,
  })
  if (milliseconds === null) child.stdout.resume()
  else {
    await once(child.stdout, 'data')
    await sleep(milliseconds)
    child.kill('SIGKILL')
  }
  await once(child, 'close')
}

function fill({ sqlite }: Storage, owner: string): void {
  sqlite
    .prepare(
      "insert into user (id, email, name, role, is_first, created_at, updated_at) values (?, ?, 'Ada', 'user', 0, 1, 1)",
    )
    .run(owner, `${owner}@example.com`)
  const chat = sqlite.prepare(
    'insert into chat (id, user_id, title, models, params, files, tags, timestamp, extra, history_extra, meta, created_at, updated_at) ' +
      "values (?, ?, 'Title', '[]', '{}', '[]', '[]', 0, '{}', '{}', '{}', 1, 1)",
  )
  const message = sqlite.prepare(
    "insert into message (chat_id, id, role, timestamp, content, extra) values (?, ?, 'user', 1, ?, '{}')",
  )
  const words = sqlite.prepare(
    'insert into message_search (rowid, owner, content) values (?, ?, ?)',
  )
  const blob = sqlite.prepare(
    'insert into blob (id, user_id, hash, size, created_at) values (?, ?, ?, 1, 1)',
  )
  const file = sqlite.prepare(
    'insert into file (id, user_id, blob_id, filename, name_key, content_type, kind, metadata, created_at, updated_at) ' +
      "values (?, ?, ?, 'a', 'a', 'text/plain', 'text', '{}', 1, 1)",
  )
  const text = sqlite.prepare(
    "insert into file_text (file_id, version, seq, text) values (?, 1, 0, 'text')",
  )
  for (let place = 0; place < CHATS; place += 1) {
    const id = `${owner}-${place}`
    chat.run(id, owner)
    for (let each = 0; each < MESSAGES; each += 1) {
      const content = `word${each} of chat${place}`
      words.run(message.run(id, `m${each}`, content).lastInsertRowid, owner, content)
    }
    blob.run(id, owner, id)
    file.run(id, owner, id)
    text.run(id)
  }
}

const countOf = ({ sqlite }: Storage, owner: string): number[] =>
  [
    'user where id = ?',
    'chat where user_id = ?',
    "message where chat_id glob ? || '-*'",
    'file where user_id = ?',
    'blob where user_id = ?',
  ].map((place) =>
    sqlite.prepare<[string], number>(`select count(*) from ${place}`).pluck().get(owner)!,
  )

it(`a process killed ${CYCLES} times while it removes an account goes on each time, leaves nothing and touches nobody else`, async () => {
  const file = path.join(createTemporaryFolder(folderOnDisk()), 'chat-gateway.db')
  const first = openStorage({ path: file })
  await first.transaction(async () => ['gone', 'kept'].forEach((owner) => fill(first, owner)))
  await first.transaction(async () => {
    first.sqlite.exec("update user set deleted_at = 1, email = 'deleted gone' where id = 'gone'")
    first.sqlite.exec(
      "insert into deletion (kind, subject, title, created_at) values ('account', 'gone', 'Ada', 1)",
    )
  })
  first.close()
  for (let cycle = 0; cycle < CYCLES; cycle += 1) {
    await goOnUntilKilled(file, cycle * 15)
    expect(findFileFault(file)).toBeNull()
  }
  await goOnUntilKilled(file, null)

  const storage = openStorage({ path: file })
  const { sqlite } = storage
  expect(countOf(storage, 'gone')).toEqual([0, 0, 0, 0, 0])
  expect(countOf(storage, 'kept')).toEqual([1, CHATS, CHATS * MESSAGES, CHATS, CHATS])
  expect(await storage.deletions.list()).toEqual([])
  expect(sqlite.pragma('foreign_key_check')).toEqual([])
  sqlite.exec("insert into message_search (message_search) values ('integrity-check')")
  expect(
    sqlite
      .prepare("select count(*) from message_search where message_search match 'owner : gone'")
      .pluck()
      .get(),
  ).toBe(0)
  expect(
    sqlite
      .prepare("select count(*) from message_search where message_search match 'owner : kept'")
      .pluck()
      .get(),
  ).toBe(CHATS * MESSAGES)
  // Whenever it was killed, writes merge the index again.
  const merges = sqlite.prepare("select v from message_search_config where k = 'automerge'").pluck()
  expect(merges.get()).toBe(4)
  const left = sqlite
    .prepare('select kind, count(*) from file_leftover group by kind order by kind')
    .raw()
    .all()
  expect(left).toEqual([
    ['blob', CHATS],
    ['document', CHATS],
  ])
  storage.close()
}, 120_000)

import path from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createTemporaryFolder } from '../testing/create-temporary-folder.ts'
import { createTestStorage, writeEmptyDatabase } from '../testing/create-test-storage.ts'
import { ListStore } from './lists/store.ts'
import { ChatStore } from './store.ts'

const MANY = 3100
const PAGE = 60

/** One user with very many chats and one with few, in a database file, which a thread can read. */
function createFilled() {
  const file = path.join(createTemporaryFolder(), 'test.db')
  writeEmptyDatabase(file)
  const storage = createTestStorage(file)
  onTestFinished(() => storage.close())
  const account = storage.sqlite.prepare(
    "insert into user (id, email, name, role, is_first, created_at, updated_at) values (@id, @id, 'Ada', 'user', 0, 1, 1)",
  )
  const chat = storage.sqlite.prepare(
    'insert into chat (id, user_id, title, models, params, files, tags, timestamp, extra, history_extra, meta, archived, created_at, updated_at) ' +
      "values (?, ?, ?, '[]', '{}', '[]', '[]', 0, '{}', '{}', '{}', ?, 1, ?)",
  )
  storage.sqlite.transaction(() => {
    for (const [owner, count] of [
      ['many', MANY],
      ['few', 5],
    ] as const) {
      account.run({ id: owner })
      for (let place = 0; place < count; place += 1)
        chat.run(
          `${owner}-${place}`,
          owner,
          `Title ${place % 7}`,
          place % 3 === 0 ? 1 : 0,
          place >> 1,
        )
    }
  })()
  const beside = vi.spyOn(storage, 'allBeside')
  return { chats: new ChatStore(storage), lists: new ListStore(storage), beside }
}

/** Returns ids newest first; those of the same second by the order in which they were created. */
const newestFirst = (isWanted: (place: number) => boolean): string[] =>
  Array.from({ length: MANY }, (_, place) => place)
    .filter(isWanted)
    .toReversed()
    .map((place) => `many-${place}`)

it('lists of very many chats are read beside the event loop, in the same order and pages', async () => {
  const { chats, lists, beside } = createFilled()
  expect(await lists.sorted('many', 'everything', {})).toEqual(newestFirst(() => true))
  expect(await lists.sorted('many', 'archived', { page: 2 })).toEqual(
    newestFirst((place) => place % 3 === 0).slice(PAGE, 2 * PAGE),
  )
  expect(await lists.sorted('many', 'everything', { query: 'title 6', page: 1 })).toEqual(
    newestFirst((place) => place % 7 === 6).slice(0, PAGE),
  )
  const byTitle = await lists.sorted('many', 'everything', { order_by: 'title', direction: 'asc' })
  expect(byTitle).toHaveLength(MANY)
  expect(byTitle.slice(0, 3)).toEqual(['many-0', 'many-7', 'many-14'])
  expect(await lists.count('many')).toBe(MANY)
  expect(await Array.fromAsync(lists.idsIn('many', 'archived'))).toEqual(
    newestFirst((place) => place % 3 === 0),
  )
  const listed = await chats.list('many', { includePinned: true, includeFolders: true })
  expect(listed).toEqual(newestFirst((place) => place % 3 !== 0))
  expect(beside).toHaveBeenCalled()
})

it('lists of few chats start no thread', async () => {
  const { chats, lists, beside } = createFilled()
  expect(await lists.sorted('few', 'everything', {})).toEqual(
    [4, 3, 2, 1, 0].map((place) => `few-${place}`),
  )
  expect(await lists.count('few')).toBe(5)
  expect(await chats.list('few', { includePinned: true, includeFolders: true })).toHaveLength(3)
  expect(beside).not.toHaveBeenCalled()
})

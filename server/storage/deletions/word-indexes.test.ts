import { expect, it } from 'vitest'
import { createTestStorage } from '../../testing/create-test-storage.ts'
import { createWordIndex } from './word-indexes.ts'

function createFilled(rows: number) {
  const { sqlite } = createTestStorage()
  const insert = sqlite.prepare('insert into message_search (rowid, owner, content) values (?, ?, ?)')
  for (let from = 1; from <= rows; from += 500)
    sqlite.transaction(() => {
      for (let row = from; row < from + 500; row += 1) insert.run(row, 'owner', `word${row} and ${row % 7}`)
    })()
  const bytes = (): number => sqlite.prepare<[], number>('select sum(length(block)) from message_search_data').pluck().get()!
  const index = createWordIndex(sqlite, 'message_search')
  const tidy = (): void => {
    while (index.tidySome(4));
  }
  return { sqlite, index, bytes, tidy }
}

it('deleting rows of an index writes nothing of it anew until it is tidied', () => {
  const { sqlite, index, bytes, tidy } = createFilled(6000)
  const before = bytes()
  sqlite.transaction(() => index.markOnly(() => sqlite.exec('delete from message_search where rowid <= 3000')))()
  expect(bytes()).toBeGreaterThan(before * 0.9)
  tidy()
  expect(bytes()).toBeLessThan(before * 0.7)
  expect(sqlite.prepare("select count(*) from message_search where message_search match 'and'").pluck().get()).toBe(3000)
  sqlite.exec("insert into message_search (message_search) values ('integrity-check')")
})

it('an index is due when three quarters of it are marked, and one without rows is emptied at once', () => {
  const { sqlite, index, bytes, tidy } = createFilled(6000)
  sqlite.exec('delete from message_search where rowid <= 3000')
  index.noteErased(3000)
  expect(index.isDue()).toBe(false)
  sqlite.exec('delete from message_search where rowid <= 4500')
  index.noteErased(1500)
  expect(index.isDue()).toBe(true)
  tidy()
  expect(index.isDue()).toBe(false)
  sqlite.exec('delete from message_search')
  tidy()
  expect(bytes()).toBeLessThan(100)
})

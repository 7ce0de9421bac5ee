import { expect, it } from 'vitest'
import { createTestStorage } from '../../testing/create-test-storage.ts'
import { Eraser } from './eraser.ts'
import { WordIndex } from './word-indexes.ts'

function createFilled(rows: number) {
  const { sqlite } = createTestStorage()
  const insert = sqlite.prepare(
    'insert into message_search (rowid, owner, content) values (?, ?, ?)',
  )
  for (let from = 1; from <= rows; from += 500)
    sqlite.transaction(() => {
      for (let row = from; row < from + 500; row += 1)
        insert.run(row, 'owner', `word${row} and ${row % 7}`)
    })()
  const bytes = (): number =>
    sqlite.prepare<[], number>('select sum(length(block)) from message_search_data').pluck().get()!
  const index = new WordIndex(sqlite, 'message_search')
  const tidy = (): void => {
    while (index.tidySome(4));
  }
  return { sqlite, index, bytes, tidy }
}

it('deleting rows of an index writes nothing of it anew until it is tidied', () => {
  const { sqlite, index, bytes, tidy } = createFilled(6000)
  const before = bytes()
  sqlite.transaction(() =>
    index.markOnly(() => sqlite.exec('delete from message_search where rowid <= 3000')),
  )()
  expect(bytes()).toBeGreaterThan(before * 0.9)
  tidy()
  expect(bytes()).toBeLessThan(before * 0.7)
  expect(
    sqlite
      .prepare("select count(*) from message_search where message_search match 'and'")
      .pluck()
      .get(),
  ).toBe(3000)
  sqlite.exec("insert into message_search (message_search) values ('integrity-check')")
})

it('parts of an index are thinned out while its rows are deleted, before all of one is marked', () => {
  const { sqlite, index, bytes } = createFilled(20_000)
  const before = bytes()
  const thin = (): void => {
    while (index.thinSome(4));
  }
  const erase = (from: number, to: number): void => {
    const remove = sqlite.prepare('delete from message_search where rowid between ? and ?')
    sqlite.transaction(() => index.markOnly(() => remove.run(from, to)))()
    index.noteErased(to - from + 1)
  }
  erase(1, 3000)
  expect(index.isDue()).toBe(false)
  erase(3001, 16_000)
  expect(index.isDue()).toBe(true)
  thin()
  expect(index.isDue()).toBe(false)
  expect(bytes()).toBeLessThan(before * 0.5)
  sqlite.exec("insert into message_search (message_search) values ('integrity-check')")
  for (let row = 16_001; row < 16_001 + 16; row += 1) erase(row, row)
  expect(index.isDue()).toBe(true)
})

it('an index without rows is emptied at once', () => {
  const { sqlite, bytes, tidy } = createFilled(6000)
  sqlite.exec('delete from message_search')
  tidy()
  expect(bytes()).toBeLessThan(100)
})

it('while an index rests, neither deleting nor writing merges anything of it', () => {
  const { sqlite, index } = createFilled(6000)
  const setting = sqlite
    .prepare<[], number>("select v from message_search_config where k = 'automerge'")
    .pluck()
  const parts = (): number =>
    sqlite
      .prepare<[], number>('select count(distinct segid) from message_search_idx')
      .pluck()
      .get()!
  const insert = sqlite.prepare(
    "insert into message_search (rowid, owner, content) values (?, 'owner', 'some words')",
  )
  index.rest()
  expect(index.isResting()).toBe(true)
  const before = parts()
  for (let row = 0; row < 40; row += 1) {
    sqlite.transaction(() => index.markOnly(() => insert.run(10_000 + row)))()
    expect(setting.get()).toBe(0)
  }
  expect(parts()).toBe(before + 40)
  index.mergeAgain()
  expect(index.isResting()).toBe(false)
  sqlite.transaction(() => index.markOnly(() => insert.run(20_000)))()
  expect(setting.get()).toBe(4)
  sqlite.exec("insert into message_search (message_search) values ('integrity-check')")
})

it('an index that a process left resting as it ended merges again from the next start', () => {
  const { sqlite, index } = createFilled(500)
  index.rest()
  new Eraser(sqlite).wakeIndexes()
  expect(index.isResting()).toBe(false)
})

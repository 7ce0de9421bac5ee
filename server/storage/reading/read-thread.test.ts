import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createTemporaryFolder } from '../../testing/create-temporary-folder.ts'
import { createTestStorage, writeEmptyDatabase } from '../../testing/create-test-storage.ts'
import type { Storage } from '../index.ts'

function open(): Storage {
  const file = path.join(createTemporaryFolder(), 'test.db')
  writeEmptyDatabase(file)
  const storage = createTestStorage(file)
  onTestFinished(() => {
    if (storage.isOpen) storage.close()
  })
  return storage
}

const settings = ({ builder }: Storage) =>
  builder.selectFrom('setting').select('key').orderBy('key')

const add = (storage: Storage, key: string): Promise<number> =>
  storage.run(storage.builder.insertInto('setting').values({ key, value: '1', updated_at: 1 }))

const NUMBERS =
  'with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ?) select n from numbers'

it('a read beside the event loop answers what a read on it does', async () => {
  const storage = open()
  for (const key of ['b', 'a', 'c']) await add(storage, key)
  const wanted = settings(storage).where('key', '<', 'c')
  expect(await storage.allBeside(wanted)).toEqual([{ key: 'a' }, { key: 'b' }])
  expect(await storage.allBeside(wanted)).toEqual(await storage.all(wanted))
  expect(await storage.allBeside(wanted.where('key', '=', 'z'))).toEqual([])
  const plucked = storage.prepare<[number], number>(NUMBERS).pluck()
  expect(await plucked.allBeside(3)).toEqual([1, 2, 3])
})

it('very many rows come in order and in pages, between which others are served', async () => {
  const storage = open()
  const read = storage.prepare<[number], number>(NUMBERS).pluck()
  let turns = 0
  let timer = setImmediate(function look() {
    turns += 1
    timer = setImmediate(look)
  })
  const rows = await read.allBeside(20_000)
  clearImmediate(timer)
  expect(rows).toEqual(Array.from({ length: 20_000 }, (_, place) => place + 1))
  // A page has a thousand rows.
  expect(turns).toBeGreaterThanOrEqual(20)
})

it('several reads at a time each get their own rows', async () => {
  const read = open().prepare<[number], number>(NUMBERS).pluck()
  const sizes = [2500, 1, 3000, 1000, 2000]
  const answers = await Promise.all(sizes.map((size) => read.allBeside(size)))
  expect(answers.map((rows) => [rows.length, rows.at(-1)])).toEqual(
    sizes.map((size) => [size, size]),
  )
})

it('sees what was committed, and within a transaction what was written in it', async () => {
  const storage = open()
  await add(storage, 'before')
  await storage.transaction(async () => {
    await add(storage, 'within')
    expect(await storage.allBeside(settings(storage))).toEqual([
      { key: 'before' },
      { key: 'within' },
    ])
  })
  expect(await storage.allBeside(settings(storage))).toHaveLength(2)
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const { promise: hasWritten, resolve: written } = Promise.withResolvers<void>()
  const writing = storage.transaction(async () => {
    await add(storage, 'uncommitted')
    written()
    await mayEnd
  })
  await hasWritten
  expect(await storage.allBeside(settings(storage))).toHaveLength(2)
  end()
  await writing
  expect(await storage.allBeside(settings(storage))).toHaveLength(3)
})

it('a statement that fails rejects, and the next one is answered', async () => {
  const storage = open()
  await expect(storage.prepare<[]>('select * from nothing_like_it').allBeside()).rejects.toThrow(
    'no such table',
  )
  expect(await storage.allBeside(settings(storage))).toEqual([])
})

it('cannot write', async () => {
  const storage = open()
  await add(storage, 'kept')
  await expect(
    storage.prepare<[]>('delete from setting returning key').allBeside(),
  ).rejects.toThrow('readonly')
  expect(await storage.allBeside(settings(storage))).toEqual([{ key: 'kept' }])
})

it('a database that is closed in the middle of a read rejects it', async () => {
  const storage = open()
  const reading = storage.prepare<[number], number>(NUMBERS).pluck().allBeside(100_000)
  storage.close()
  await expect(reading).rejects.toThrow('closed')
})

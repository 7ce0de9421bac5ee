import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTemporaryFolder } from '../testing/create-temporary-folder.ts'
import { openStorage, type Storage } from './index.ts'

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** On a disk and in memory, where reads and writes share a connection. */
describe.each(['file', 'memory'] as const)('transactions of a database in %s', (place) => {
  function open(isStrict = true): Storage {
    const file = path.join(createTemporaryFolder(), 'test.db')
    const storage = openStorage({ path: place === 'file' ? file : ':memory:', isStrict })
    onTestFinished(() => storage.close())
    return storage
  }
  const add = (storage: Storage, key: string, value = '1'): Promise<number> =>
    storage.run(storage.builder.insertInto('setting').values({ key, value, updated_at: 1 }))
  const keys = async (storage: Storage): Promise<string[]> =>
    (await storage.all(storage.builder.selectFrom('setting').select('key').orderBy('key'))).map(
      ({ key }) => key,
    )

  it('let nobody write in between, over whatever they wait for', async () => {
    const storage = open()
    const counter = storage.builder.selectFrom('setting').select('value').where('key', '=', 'n')
    await add(storage, 'n', '0')
    const raise = (): Promise<void> =>
      storage.transaction(async () => {
        const { value } = (await storage.get(counter))!
        await pause()
        const update = storage.builder.updateTable('setting').set({ value: String(+value + 1) })
        await storage.run(update.where('key', '=', 'n'))
      })
    await Promise.all(Array.from({ length: 20 }, raise))
    expect(await storage.get(counter)).toEqual({ value: '20' })
  })

  it('a read that takes long lets others have a turn before what follows it', async () => {
    const storage = open()
    const long = storage.prepare<[], number>(
      'with recursive n (n) as (select 1 union all select n + 1 from n where n < 400000) select max(n) from n',
    )
    const order: string[] = []
    setImmediate(() => order.push('others'))
    await long.pluck().get()
    order.push('what follows')
    expect(order).toEqual(['others', 'what follows'])
    setImmediate(() => order.push('others'))
    await keys(storage)
    order.push('what follows a short one')
    expect(order.at(-1)).toBe('what follows a short one')
    expect(order).toHaveLength(3)
  })

  it('show others nothing before they end, and themselves everything', async () => {
    const storage = open()
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const { promise: hasWritten, resolve: tell } = Promise.withResolvers<void>()
    const writing = storage.transaction(async () => {
      await add(storage, 'A')
      expect(await keys(storage)).toEqual(['A'])
      tell()
      await mayEnd
    })
    await hasWritten
    const during = keys(storage)
    const single = add(storage, 'B')
    await pause()
    end()
    await writing
    // In memory a read waits for the end, as there is one connection; it never sees a partial
    // write.
    expect(await during).toEqual(place === 'file' ? [] : ['A'])
    await single
    expect(await keys(storage)).toEqual(['A', 'B'])
  })

  it('wait for what follows their commit, while others write, and fail with what fails of it', async () => {
    const storage = open()
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const done: string[] = []
    const writing = storage.transaction(async () => {
      await add(storage, 'A')
      storage.afterCommit(() => Promise.reject(new Error('no listener')))
      storage.afterCommit(async () => {
        await mayEnd
        await add(storage, 'B')
        done.push('followed')
      })
    })
    const failure = writing.catch((error: unknown) => error)
    await add(storage, 'C')
    expect(done).toEqual([])
    end()
    expect(await failure).toEqual(new Error('no listener'))
    expect(done).toEqual(['followed'])
    expect(await keys(storage)).toEqual(['A', 'B', 'C'])
  })

  it('are taken back with what others wrote in nested ones, and leave writes of others alone', async () => {
    const storage = open()
    const failing = storage.transaction(async () => {
      await storage.transaction(() => add(storage, 'inner'))
      await pause()
      throw new Error('no')
    })
    const other = add(storage, 'other')
    await expect(failing).rejects.toThrow('no')
    await other
    expect(await keys(storage)).toEqual(['other'])
  })

  it('run nested ones that are started together one after the other', async () => {
    const storage = open()
    await storage.transaction(async () => {
      const nested = (key: string, fails: boolean) =>
        storage.transaction(async () => {
          await add(storage, key)
          await pause()
          if (fails) throw new Error(key)
        })
      await Promise.allSettled([nested('A', false), nested('B', true), nested('C', false)])
    })
    expect(await keys(storage)).toEqual(['A', 'C'])
  })

  it('do what waits for the commit after it, and never what was taken back', async () => {
    const storage = open()
    const done: string[] = []
    await storage.transaction(async () => {
      storage.afterCommit(() => done.push('outer'))
      await storage
        .transaction(async () => {
          storage.afterCommit(() => done.push('taken back'))
          await add(storage, 'A')
          throw new Error('no')
        })
        .catch(() => undefined)
      await storage.transaction(async () => storage.afterCommit(() => done.push('inner')))
      expect(done).toEqual([])
      expect(storage.inTransaction).toBe(true)
    })
    expect(done).toEqual(['outer', 'inner'])
    storage.afterCommit(() => done.push('outside'))
    expect(done.at(-1)).toBe('outside')
    expect(storage.inTransaction).toBe(false)
  })

  it('refuse a statement that comes after their end, where tests ask for it', async () => {
    const storage = open()
    let late: Promise<number> | undefined
    const started = Promise.withResolvers<void>()
    await storage.transaction(async () => {
      late = started.promise.then(() => add(storage, 'late'))
      late.catch(() => undefined)
    })
    started.resolve()
    await expect(late).rejects.toThrow('something in it was not awaited')
    expect(await keys(storage)).toEqual([])
  })

  it('let such a statement run by itself otherwise', async () => {
    const storage = open(false)
    let late: Promise<number> | undefined
    await storage.transaction(async () => {
      late = pause()
        .then(pause)
        .then(() => add(storage, 'late'))
    })
    await late
    expect(await keys(storage)).toEqual(['late'])
  })

  it('fail as a whole when a nested one was not awaited', async () => {
    const storage = open()
    const forgotten = storage.transaction(async () => {
      await add(storage, 'A')
      storage
        .transaction(async () => {
          await pause()
          await add(storage, 'B')
        })
        .catch(() => undefined)
    })
    await expect(forgotten).rejects.toThrow('something in it was not awaited')
    await pause()
    expect(await keys(storage)).toEqual([])
    await add(storage, 'C')
    expect(await keys(storage)).toEqual(['C'])
  })
})

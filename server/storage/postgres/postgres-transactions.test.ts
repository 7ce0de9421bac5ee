import { describe, expect, it, onTestFinished } from 'vitest'
import {
  addressOf,
  createEmptyDatabase,
  createPostgresTestStorage,
  dropDatabase,
} from '../../testing/create-postgres-test-storage.ts'
import type { Storage } from '../storage.ts'
import { openPostgres } from './open-postgres.ts'

const server = process.env['TEST_DATABASE_URL'] ?? ''

function open(): Storage {
  const storage = createPostgresTestStorage(server, null)
  onTestFinished(() => storage.close())
  return storage
}

/** Opens two gateways on one database. */
async function openTwice(): Promise<[Storage, Storage]> {
  const name = await createEmptyDatabase(server)
  onTestFinished(() => dropDatabase(server, name))
  const address = addressOf(server, name)
  const opened = [await openPostgres({ address }), await openPostgres({ address })] as const
  onTestFinished(() => {
    for (const storage of opened) storage.close()
  })
  return [...opened]
}

const add = (storage: Storage, key: string, value = '1'): Promise<number> =>
  storage.run(storage.builder.insertInto('setting').values({ key, value, updated_at: 1 }))

const keys = async (storage: Storage): Promise<string[]> =>
  (await storage.all(storage.builder.selectFrom('setting').select('key').orderBy('key'))).map(
    ({ key }) => key,
  )

const read = async (storage: Storage, key: string): Promise<number> =>
  Number(
    (await storage.get(
      storage.builder.selectFrom('setting').select('value').where('key', '=', key),
    ))!.value,
  )

const raise = (storage: Storage, key: string): Promise<void> =>
  storage.transaction(async () => {
    const value = String((await read(storage, key)) + 1)
    await storage.run(storage.builder.updateTable('setting').set({ value }).where('key', '=', key))
  })

describe.skipIf(server === '')('transactions on PostgreSQL', () => {
  it('let nobody come in between, whichever gateway they run on', async () => {
    const [one, other] = await openTwice()
    await add(one, 'n', '0')
    await Promise.all(Array.from({ length: 20 }, (_, turn) => raise(turn % 2 ? one : other, 'n')))
    expect(await read(one, 'n')).toBe(20)
  })

  it('never both do what only one may, as each of them reads first', async () => {
    const [one, other] = await openTwice()
    const addIfNone = (storage: Storage, key: string) =>
      storage.transaction(async () => {
        if ((await keys(storage)).length === 0) await add(storage, key)
      })
    await Promise.all([addIfNone(one, 'A'), addIfNone(other, 'B'), addIfNone(one, 'C')])
    expect(await keys(one)).toHaveLength(1)
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
    expect(await keys(storage)).toEqual([])
    end()
    await writing
    expect(await keys(storage)).toEqual(['A'])
  })

  it('nested ones are undone by themselves, and all with the outer one', async () => {
    const storage = open()
    await storage.transaction(async () => {
      await add(storage, 'A')
      await expect(
        storage.transaction(async () => {
          await add(storage, 'B')
          throw new Error('no')
        }),
      ).rejects.toThrow('no')
      await Promise.all([
        storage.transaction(() => add(storage, 'C')),
        storage.transaction(() => add(storage, 'D')),
      ])
    })
    await expect(
      storage.transaction(async () => {
        await storage.transaction(() => add(storage, 'E'))
        throw new Error('all')
      }),
    ).rejects.toThrow('all')
    expect(await keys(storage)).toEqual(['A', 'C', 'D'])
  })

  it('do what follows their commit once, however often they are tried', async () => {
    const [one, other] = await openTwice()
    await add(one, 'n', '0')
    let tries = 0
    let followed = 0
    const slow = one.transaction(async () => {
      one.afterCommit(() => (followed += 1))
      const value = await read(one, 'n')
      // On the first try, the other one commits in between.
      if ((tries += 1) === 1) await raise(other, 'n')
      const next = { value: String(value + 1) }
      await one.run(one.builder.updateTable('setting').set(next).where('key', '=', 'n'))
    })
    await slow
    expect({ tries, followed, value: await read(one, 'n') }).toEqual({
      tries: 2,
      followed: 1,
      value: 2,
    })
  })

  it('are tried again when their work went on over the conflict', async () => {
    const [one, other] = await openTwice()
    await add(one, 'n', '0')
    let tries = 0
    await one.transaction(async () => {
      const value = await read(one, 'n')
      if ((tries += 1) === 1) await raise(other, 'n')
      const next = { value: String(value + 1) }
      await one
        .run(one.builder.updateTable('setting').set(next).where('key', '=', 'n'))
        .catch(() => undefined)
    })
    expect({ tries, value: await read(one, 'n') }).toEqual({ tries: 2, value: 2 })
  })

  it('are not sent again when the connection is lost on the way', async () => {
    const storage = open()
    let tries = 0
    await expect(
      storage.transaction(async () => {
        tries += 1
        await add(storage, 'A')
        await storage.prepare('select pg_terminate_backend(pg_backend_pid())').get()
      }),
    ).rejects.toMatchObject({
      status: 503,
      headers: { 'Retry-After': '5' },
      cause: { message: expect.stringMatching(/terminat/) as string },
    })
    expect(tries).toBe(1)
    expect(await keys(storage)).toEqual([])
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import type { Storage } from '../storage/index.ts'
import { openPostgres } from '../storage/postgres/open-postgres.ts'
import { addressOf, createEmptyDatabase } from '../testing/create-postgres-test-storage.ts'
import { hasPostgres, startPostgres, type TestPostgres } from '../testing/start-postgres.ts'
import { UserStore } from '../users/store.ts'
import { FileStore, JobStore } from './store.ts'

const FILES = 40

describe.skipIf(!hasPostgres)('the queue of files of two gateways', { timeout: 60_000 }, () => {
  let server: TestPostgres
  let gateways: readonly [Storage, Storage]

  beforeAll(async () => {
    server = await startPostgres()
    const address = addressOf(server.address, await createEmptyDatabase(server.address))
    gateways = [await openPostgres({ address }), await openPostgres({ address })]
    const [storage] = gateways
    const user = await new UserStore(storage).insert({
      email: 'ada@example.com',
      name: 'Ada',
      role: 'user',
      isFirst: true,
      isGuest: false,
    })
    const files = new FileStore(storage)
    const blob = { id: newId(), user_id: user.id, hash: 'a', size: 1, created_at: 1 }
    await files.insertBlob(blob)
    for (let index = 0; index < FILES; index += 1)
      await files.insert({
        id: newId(),
        user_id: user.id,
        blob_id: blob.id,
        filename: `${index}.txt`,
        name_key: `${index}.txt`,
        content_type: 'text/plain',
        kind: 'document',
        metadata: '{}',
        status: 'pending',
        job: 'extract',
        created_at: index,
        updated_at: index,
      })
  }, 60_000)
  afterAll(async () => {
    for (const storage of gateways) storage.close()
    await server.close()
  })

  const takeAll = async (storage: Storage, reader: string): Promise<string[]> => {
    const jobs = new JobStore(storage)
    const taken: string[] = []
    for (;;) {
      const id = await jobs.next({ ids: taken, users: [], reader })
      if (id === null) return taken
      taken.push(id)
    }
  }

  it('gives each job to one of them, and what one leaves to the other', async () => {
    const [first, second] = await Promise.all([
      takeAll(gateways[0], 'first'),
      takeAll(gateways[1], 'second'),
    ])
    expect(new Set([...first, ...second]).size).toBe(FILES)
    expect(first.length + second.length).toBe(FILES)
    const jobs = new JobStore(gateways[1])
    expect(await jobs.next({ ids: [], users: [], reader: 'second' })).toBeNull()
    await jobs.freeOf('first')
    expect((await takeAll(gateways[1], 'second')).toSorted()).toEqual(first.toSorted())
    // The gateway that returns cannot write to the other's jobs.
    const files = new FileStore(gateways[0])
    expect(await files.update(second[0]!, { job: null }, 'first')).toBe(false)
    await new JobStore(gateways[0]).freeAbandoned(['first'])
    expect(await takeAll(gateways[0], 'first')).toHaveLength(FILES)
  })
})

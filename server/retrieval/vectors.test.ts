import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createTemporaryFolder } from '../testing/create-temporary-folder.ts'
import {
  createTestRetrieval,
  indexThreeTexts,
  toDocument,
  type TestRetrieval,
} from '../testing/create-test-retrieval.ts'
import { addVectorTables } from './vectors/extension.ts'
import { VectorWriter } from './vectors/vector-table.ts'

const never = new AbortController().signal
const count = ({ storage }: TestRetrieval, sql: string) =>
  Number(storage.sqlite.prepare(sql).pluck().get())

// Features of the SQLite file only; `postgres/` has its own tests.
const isOnPostgres = Boolean(process.env['TEST_DATABASE_URL'])

describe.skipIf(isOnPostgres)('without the library of vectors', () => {
  const vectorLibrary = '/nowhere/vec0'

  it('indexes and finds by words, says why, and refuses only what asks for vectors', async () => {
    const test = await createTestRetrieval({ vectorLibrary })
    await indexThreeTexts(test)
    const [found] = await test.retrieval.search(
      { texts: ['nectar of blossoms'], collections: ['all'] },
      never,
    )
    expect(found).toMatchObject({ document_id: 'bees', vector_score: null })
    expect((await test.retrieval.engineState()).problem).toMatch(/sqlite-vec.* cannot be loaded/)
    await expect(
      test.retrieval.search({ texts: ['nectar'], collections: ['all'], mode: 'vector' }, never),
    ).rejects.toMatchObject({
      status: 503,
    })
    expect(await test.retrieval.checkHealth()).toEqual({
      passages: 3,
      vectors: 0,
      codes: 0,
      words: 3,
    })
    await test.retrieval.forget('steel')
    await expect.poll(() => count(test, 'select count(*) from retrieval_chunk')).toBe(2)
  })

  it('meets the problem by a search alone', async () => {
    const folder = createTemporaryFolder()
    const first = await createTestRetrieval({ folder })
    await indexThreeTexts(first)
    await first.close()
    for (const hybrid of ['true', 'false']) {
      const test = await createTestRetrieval({
        folder,
        environment: { ENABLE_RAG_HYBRID_SEARCH: hybrid },
        vectorLibrary,
      })
      const [found] = await test.retrieval.search(
        { texts: ['knight jump'], collections: ['all'] },
        never,
      )
      expect(found).toMatchObject({ document_id: 'chess', vector_score: null })
      await test.close()
    }
  })

  it('keeps what it cannot remove until it can, and embeds what has no vectors then', async () => {
    const folder = createTemporaryFolder()
    const first = await createTestRetrieval({ folder })
    await indexThreeTexts(first)
    await first.close()
    const second = await createTestRetrieval({ folder, vectorLibrary })
    const content = toDocument('Bees sleep in winter.')
    await second.retrieval.index(
      { id: 'bees', kind: 'text', name: 'bees', content },
      { signal: never },
    )
    expect(
      (await second.retrieval.search({ texts: ['winter'], collections: ['all'] }, never))[0]!
        .document_id,
    ).toBe('bees')
    await second.close()
    const third = await createTestRetrieval({ folder })
    await third.retrieval.resume()
    await expect
      .poll(() => third.retrieval.checkHealth(), { timeout: 10_000 })
      .toEqual({ passages: 3, vectors: 3, codes: 3, words: 3 })
    await expect
      .poll(async () => (await third.retrieval.engineState()).documents)
      .toEqual({ total: 3, current: 3, failed: 0 })
    expect((await third.retrieval.engineState()).problem).toBeNull()
  })
})

describe('vectors', () => {
  it.skipIf(isOnPostgres)(
    'are compared all or chosen by their codes, with one answer',
    async () => {
      const test = await createTestRetrieval()
      await indexThreeTexts(test)
      const ask = () =>
        test.retrieval.search(
          { texts: ['quench hot steel'], collections: ['all'], mode: 'vector', threshold: 0 },
          never,
        )
      const compared = await ask()
      expect(compared[0]!.document_id).toBe('steel')
      // With many out-of-scope vectors in the same table the search uses codes.
      const { dimensions } = await test.retrieval.engineState()
      const { sqlite } = test.storage
      expect(addVectorTables(sqlite)).toBeNull()
      const columns =
        'id, state, kind, name, metadata, format, pages, engine, dimensions, splitting, first_chunk, chunks, created_at'
      await test.storage.transaction(async () => {
        sqlite.exec(`insert into retrieval_document (${columns})
        values ('crowd', 'ready', 'text', 'crowd', '{}', 'text', '[]', 'x', ${dimensions}, '', 1000, 9000, 0)`)
        const crowd = Array.from({ length: 9000 }, () =>
          Float32Array.from({ length: dimensions! }, (_, place) => (place === 0 ? 1 : 0)),
        )
        new VectorWriter(sqlite).write(1000, crowd)
      })
      expect(await ask()).toEqual(compared)
    },
  )

  it.skipIf(isOnPostgres)(
    'lie in the file of the records and take part in its transactions',
    async () => {
      const test = await createTestRetrieval()
      await indexThreeTexts(test)
      const { sqlite } = test.storage
      expect(addVectorTables(sqlite)).toBeNull()
      const table = `retrieval_vector_${(await test.retrieval.engineState()).dimensions}`
      const before = count(test, `select count(*) from ${table}`)
      await expect(
        test.storage.transaction(async () => {
          sqlite.exec(`delete from ${table} where rowid = 1`)
          expect(count(test, `select count(*) from ${table}`)).toBe(before - 1)
          throw new Error('back')
        }),
      ).rejects.toThrow('back')
      expect(count(test, `select count(*) from ${table}`)).toBe(before)
    },
  )

  it.skipIf(isOnPostgres)(
    'are backed up whole while documents go in',
    { timeout: 30_000 },
    async () => {
      const test = await createTestRetrieval()
      await indexThreeTexts(test)
      const text = Array.from(
        { length: 100_000 },
        (_, place) => `Entry ${place} tells of ship ${place * 7} and its cargo of grain.\n\n`,
      ).join('')
      const stopper = new AbortController()
      let isWriting = false
      const options = {
        signal: stopper.signal,
        onProgress: (done: number) => void (isWriting = done > 0),
      }
      const work = test.retrieval.index(
        { id: 'log', kind: 'text', name: 'log', content: toDocument(text) },
        options,
      )
      let isOver = false
      work
        .then(
          () => {},
          () => {},
        )
        .finally(() => (isOver = true))
      await expect.poll(() => isWriting, { timeout: 10_000 }).toBe(true)
      const folder = createTemporaryFolder()
      await test.storage.backup(path.join(folder, 'index.db'))
      expect(isOver).toBe(false)
      const written = count(test, 'select count(*) from retrieval_chunk')
      stopper.abort(new Error('seen enough'))
      const copy = await createTestRetrieval({ folder })
      const health = await copy.retrieval.checkHealth()
      expect(new Set(Object.values(health)).size).toBe(1)
      expect(health.passages).toBeLessThanOrEqual(written)
      const [found] = await copy.retrieval.search(
        { texts: ['nectar'], collections: ['all'], mode: 'vector' },
        never,
      )
      expect(found!.document_id).toBe('bees')
    },
  )

  it('come with the name a document has now', async () => {
    const test = await createTestRetrieval()
    await indexThreeTexts(test)
    const ask = async () =>
      (await test.retrieval.search({ texts: ['nectar'], collections: ['all'] }, never))[0]!.name
    expect(await ask()).toBe('bees')
    await test.retrieval.rename('bees', 'insects.md')
    expect(await ask()).toBe('insects.md')
  })
})

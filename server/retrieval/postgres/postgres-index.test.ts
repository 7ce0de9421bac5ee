import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openPostgres } from '../../storage/postgres/open-postgres.ts'
import type { Storage } from '../../storage/index.ts'
import { addressOf, createEmptyDatabase } from '../../testing/create-postgres-test-storage.ts'
import { createTestStorage } from '../../testing/create-test-storage.ts'
import { createTemporaryFolder } from '../../testing/create-temporary-folder.ts'
import { toDocument } from '../../testing/create-test-retrieval.ts'
import { hasPostgres, startPostgres, type TestPostgres } from '../../testing/start-postgres.ts'
import type { DocumentIndex } from '../document-index.ts'
import type { IndexingPlan, IndexingSource } from '../indexing/messages.ts'
import type { SearchOrder } from '../searching/messages.ts'
import { openSqliteIndex } from '../sqlite-index.ts'
import { RetrievalStore } from '../store.ts'
import { toUnitLength } from '../vectors/quantise.ts'
import { IndexStore } from './index-store.ts'
import { openPostgresIndex } from './open-postgres-index.ts'
import { SearchStore } from './search-store.ts'

const never = new AbortController().signal
const log = pino({ level: 'silent' })
const DIMENSIONS = 16
const PLAN: IndexingPlan = {
  size: 80,
  overlap: 0,
  minimum: 0,
  breakAtHeadings: true,
  unit: 'characters',
  engine: 'test',
  batch: 64,
  parallel: 2,
}

/** Returns numbers between 0 and 1 that are the same in every run. */
function createNumbers(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

function toVector(text: string): Float32Array {
  const seed = Buffer.from(text).reduce((sum, byte) => (sum * 31 + byte) % 1_000_003, 7)
  const next = createNumbers(seed + 1)
  return toUnitLength(Float32Array.from({ length: DIMENSIONS }, () => next() - 0.5))
}

interface Library {
  readonly index: DocumentIndex
  readonly store: RetrievalStore
  readonly storage: Storage
}

async function put({ index, store }: Library, id: string, text: string): Promise<void> {
  const source = { id, kind: 'text', name: id, metadata: {}, content: toDocument(text) } as const
  const handlers = {
    embed: async (texts: readonly string[]) => texts.map(toVector),
    onProgress: () => undefined,
  }
  const version = await index.writer.run(source, PLAN, handlers, never)
  await store.putInPlace(id, version.seq)
  await store.addMember('all', id)
  version.settle()
}

const toOrder = (text: string, more: Partial<SearchOrder> = {}): SearchOrder => ({
  texts: [text],
  vectors: null,
  engine: 'test',
  collections: ['all'],
  documents: [],
  usesWords: true,
  wordWeight: 0.5,
  limit: 50,
  threshold: 0,
  tokenBudget: null,
  joinsNeighbours: false,
  ...more,
})

const WORDS =
  'harbour lantern copper orchard violin glacier saddle thunder marble compass ferry walnut candle meadow anchor'.split(
    ' ',
  )

/** Returns a text of many short passages; some words are rare and some in nearly all of them. */
function writeText(seed: number, passages: number): string {
  const next = createNumbers(seed)
  const pick = (): string => WORDS[Math.floor(next() ** 3 * WORDS.length)]!
  return Array.from(
    { length: passages },
    (_, place) =>
      `# ${pick()} ${place}\n\n${Array.from({ length: 3 + Math.floor(next() * 8) }, pick).join(' ')} 京都の寺院${place % 7}.`,
  ).join('\n\n')
}

describe.skipIf(!hasPostgres)('the index on PostgreSQL', { timeout: 120_000 }, () => {
  let server: TestPostgres
  let library: Library
  let address: string
  beforeAll(async () => void (server = await startPostgres()), 120_000)
  afterAll(() => server.close())
  beforeEach(async () => {
    address = addressOf(server.address, await createEmptyDatabase(server.address))
    const storage = await openPostgres({ address })
    const index = openPostgresIndex(storage, log)
    library = { storage, index, store: new RetrievalStore(storage) }
    onTestFinished(async () => {
      await Promise.all([index.writer.close(), index.reader.close()])
      storage.close()
    })
  })

  function openFile(): Library {
    const storage = createTestStorage(`${createTemporaryFolder()}/index.db`)
    const { sqlite, writeTurns } = storage
    const options = { database: sqlite.name, writeTurns, vectorBytes: 1_000_000 }
    const index = openSqliteIndex(options, () => undefined)
    onTestFinished(async () => {
      await Promise.all([index.writer.close(), index.reader.close()])
      storage.close()
    })
    return { storage, index, store: new RetrievalStore(storage) }
  }

  it.skipIf(process.env['TEST_DATABASE_URL'])(
    'finds what the file of SQLite finds, in the same order',
    async () => {
      const file = openFile()
      for (const one of [library, file])
        for (const seed of [3, 5]) await put(one, `text-${seed}`, writeText(seed, 400))
      const questions = [
        'walnut candle',
        'anchor',
        'harbour lantern meadow',
        'glacier 17',
        '寺院',
        'nothing of it',
      ]
      for (const question of questions) {
        for (const vectors of [null, [toVector(question)]]) {
          const order = toOrder(question, { vectors })
          const [here, there] = await Promise.all(
            [library, file].map(({ index }) => index.reader.search(order, never)),
          )
          expect(here!.map(({ text, start }) => [start, text])).toEqual(
            there!.map(({ text, start }) => [start, text]),
          )
          for (const [place, { score }] of here!.entries())
            expect(score).toBeCloseTo(there![place]!.score, 5)
        }
      }
    },
  )

  it('finds by the index of vectors what comparing with all of them finds', async () => {
    await put(library, 'crowd', writeText(11, 1500))
    await put(library, 'others', writeText(13, 1500))
    const search = new SearchStore(library.storage)
    const [crowd] = await search.scope([], ['crowd'])
    const question = {
      dimensions: DIMENSIONS,
      versions: [crowd!.seq],
      vector: toVector('a question'),
      limit: 20,
    }
    const [exact, indexed] = await search.snapshot(async () => [
      await search.nearest(question),
      await search.nearestByIndex(question, { candidates: 200, visited: 20_000 }),
    ])
    const ids = new Set(exact!.map(({ id }) => id))
    expect(indexed).toHaveLength(20)
    expect(indexed!.filter(({ id }) => ids.has(id)).length).toBeGreaterThanOrEqual(18)
    const end = crowd!.firstChunk + crowd!.chunks
    expect(indexed!.every(({ id }) => id >= crowd!.firstChunk && id < end)).toBe(true)
  })

  it('keeps a version from those that tidy up until it has taken its place', async () => {
    await put(library, 'a', writeText(3, 20))
    const [before] = await new SearchStore(library.storage).scope(['all'], [])
    const source = { storedId: 'a' }
    const handlers = {
      embed: async (texts: readonly string[]) => {
        library.index.writer.purge()
        return texts.map(toVector)
      },
      onProgress: () => library.index.writer.purge(),
    }
    const version = await library.index.writer.run(source, PLAN, handlers, never)
    library.index.writer.purge()
    await library.store.putInPlace('a', version.seq)
    version.settle()
    const [after] = await new SearchStore(library.storage).scope(['all'], [])
    expect(after).toMatchObject({ id: 'a', seq: version.seq, chunks: before!.chunks })
    await expect
      .poll(() => library.index.reader.checkHealth())
      .toEqual({
        passages: after!.chunks,
        vectors: after!.chunks,
        codes: after!.chunks,
        words: after!.chunks,
      })
  })

  it('leaves alone what another gateway is making, until that one is gone', async () => {
    const { storage } = library
    await storage.prepare("insert into replica (id, seen_at) values ('another', 1)").run()
    const another = openPostgresIndex(storage, log, 'another')
    onTestFinished(() => another.writer.close())
    const source = { id: 'a', kind: 'text', name: 'a', metadata: {}, content: toDocument('Figs.') }
    const handlers = {
      embed: async (texts: readonly string[]) => texts.map(toVector),
      onProgress: () => undefined,
    }
    const version = await another.writer.run(source as IndexingSource, PLAN, handlers, never)
    const isThere = () =>
      storage
        .prepare<[number], number>('select count(*) from retrieval_document where seq = ?')
        .pluck()
        .get(version.seq)
    await put(library, 'b', 'Words about walnuts.')
    await library.store.hide(['b'])
    library.index.writer.purge()
    // The same job removes hidden documents, and has skipped the version being written.
    await expect.poll(async () => (await library.index.reader.checkHealth()).passages).toBe(1)
    expect(await isThere()).toBe(1)
    await storage.prepare("delete from replica where id = 'another'").run()
    library.index.writer.purge()
    await expect.poll(isThere).toBe(0)
  })

  describe('a finished version whose maker another gateway takes for dead', () => {
    let other: Storage
    let tidying: IndexStore
    let seq: number
    beforeEach(async () => {
      other = await openPostgres({ address })
      tidying = new IndexStore(library.storage, 'here')
      await put(library, 'a', 'Words about walnuts.')
      const gone = openPostgresIndex(other, log, 'gone')
      onTestFinished(async () => {
        await Promise.all([gone.writer.close(), gone.reader.close()])
        other.close()
      })
      const content = toDocument(writeText(3, 20))
      const source = { id: 'a', kind: 'text', name: 'a', metadata: {}, content } as const
      const handlers = {
        embed: async (texts: readonly string[]) => texts.map(toVector),
        onProgress: () => undefined,
      }
      ;({ seq } = await gone.writer.run(source, PLAN, handlers, never))
    })

    const passages = () =>
      library.storage
        .prepare<[number], number>('select count(*) from retrieval_chunk where document_seq = ?')
        .pluck()
        .get(seq)
    const waitForLock = () =>
      vi.waitUntil(() =>
        library.storage
          .prepare(
            "select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
          )
          .get(),
      )

    it('keeps its passages if it takes its place meanwhile', async () => {
      const before = await passages()
      let purging: Promise<unknown> | undefined
      await other.transaction(async () => {
        await new RetrievalStore(other).putInPlace('a', seq)
        purging = library.storage.transaction(() => tidying.purge(new Set(), 5))
        await Promise.race([purging, waitForLock()])
      })
      await purging
      expect(before).toBeGreaterThan(10)
      expect(await passages()).toBe(before)
    })

    it('does not take its place once its passages are being removed', async () => {
      let placing: Promise<unknown> | undefined
      await library.storage.transaction(async () => {
        await tidying.purge(new Set(), 5)
        placing = new RetrievalStore(other).putInPlace('a', seq)
        await Promise.race([placing, waitForLock()])
      })
      await expect(placing).rejects.toThrow(/no longer exists/)
      expect(await library.index.reader.search(toOrder('walnuts'), never)).toHaveLength(1)
    })
  })

  it('leaves the version before in place when the new one is not there any more', async () => {
    await put(library, 'a', 'Words about walnuts.')
    await expect(library.store.putInPlace('a', 999_999)).rejects.toThrow(/no longer exists/)
    expect(await library.index.reader.search(toOrder('walnuts'), never)).toHaveLength(1)
  })

  it('removes thousands of passages in steps, whatever reads meanwhile', async () => {
    await put(library, 'long', writeText(17, 2500))
    await put(library, 'short', 'Words about walnuts.')
    await library.store.hide(['long'])
    library.index.writer.purge()
    expect(await library.index.reader.search(toOrder('walnuts'), never)).toHaveLength(1)
    await expect
      .poll(() => library.index.reader.checkHealth(), { timeout: 30_000 })
      .toEqual({ passages: 1, vectors: 1, codes: 1, words: 1 })
  })
})

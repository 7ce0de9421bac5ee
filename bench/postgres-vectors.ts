// P37: compares the vector index on PostgreSQL with comparing every vector: how many of the ten
// nearest it finds, and in which share of the time. BENCH_VECTORS sets the number of vectors; above
// 20,000 the index is built in one step at the end, which takes a fraction of the time.
import pg from 'pg'
import { openPostgres } from '../server/storage/postgres/open-postgres.ts'
import type { Storage } from '../server/storage/index.ts'
import { IndexStore } from '../server/retrieval/postgres/index-store.ts'
import { planIndexed } from '../server/retrieval/postgres/plan-indexed.ts'
import { SearchStore, type NearHit } from '../server/retrieval/postgres/search-store.ts'
import { vectorTableOf } from '../server/retrieval/postgres/vector-tables.ts'
import { toUnitLength } from '../server/retrieval/vectors/quantise.ts'
import { hasPostgres, startPostgres } from '../server/testing/start-postgres.ts'
import {
  judgeAtLeast,
  judgeAtMost,
  median,
  type BenchResult,
  type BenchRow,
} from './bench-result.ts'

const VECTORS = Number(process.env['BENCH_VECTORS'] ?? 20_000)
const DIMENSIONS = 384
const CLUSTERS = 200
/** Distance of vectors from the center of their cluster, which has the length 1. */
const SPREAD = 0.8
const QUESTIONS = 60
const NEAREST = 10
/** Number of results requested by a search for ten passages. */
const WANTED = 40
const WRITTEN_TOGETHER = 500
const MOST_ONE_BY_ONE = 20_000
const PLACE = { name: 'bench', kind: 'text', metadata: '{}' } as const
/** Shares of all vectors that are searched, each consisting of the passages of some documents. */
const SCOPES = [1, 0.5, 0.2]
const DOCUMENTS = 10

function createNumbers(): () => number {
  let state = 20_011
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

const next = createNumbers()
/** Returns an approximately normal number, as a sum of several uniform ones. */
const normal = (): number => next() + next() + next() + next() - 2

const random = (scale: number): Float32Array =>
  Float32Array.from({ length: DIMENSIONS }, () => (normal() * scale) / Math.sqrt(DIMENSIONS))

function near(middle: Float32Array): Float32Array {
  const away = random(SPREAD * Math.sqrt(3))
  return toUnitLength(middle.map((value, place) => value + away[place]!))
}

const middles = Array.from({ length: CLUSTERS }, () => toUnitLength(random(1)))
const pickNear = (): Float32Array => near(middles[Math.floor(next() * CLUSTERS)]!)

/** Drops the vector index until all vectors are stored; returns the statement that creates it. */
async function dropIndex(client: pg.Client): Promise<string> {
  const name = `${vectorTableOf(DIMENSIONS)}_near`
  const { rows } = await client.query<{ indexdef: string }>(
    'select indexdef from pg_indexes where indexname = $1',
    [name],
  )
  await client.query(`drop index ${name}`)
  return rows[0]!.indexdef
}

/** Writes documents of vectors as the gateway does; returns their versions. */
async function fill(
  storage: Storage,
  client: pg.Client,
): Promise<{ versions: number[]; milliseconds: number }> {
  const store = new IndexStore(storage)
  const versions: number[] = []
  const chunks = VECTORS / DOCUMENTS
  let makeIndex: string | null = null
  const began = performance.now()
  for (let document = 0; document < DOCUMENTS; document += 1) {
    const begun = await store.reserve(chunks)
    const content = {
      text: '',
      format: 'text',
      title: null,
      language: null,
      pages: [],
      notices: [],
    } as const
    const making = { engine: 'bench', splitting: '', chunks, tokens: 0 }
    await store.begin({ ...PLACE, id: `document-${document}`, content }, making, begun)
    await storage.transaction(() => store.openVectors(begun.seq, DIMENSIONS))
    if (VECTORS > MOST_ONE_BY_ONE) makeIndex ??= await dropIndex(client)
    for (let from = 0; from < chunks; from += WRITTEN_TOGETHER) {
      const vectors = Array.from({ length: Math.min(WRITTEN_TOGETHER, chunks - from) }, pickNear)
      await storage.transaction(() =>
        store.writeVectors(begun.seq, begun.firstChunk + from, vectors),
      )
    }
    versions.push(begun.seq)
  }
  if (makeIndex !== null) {
    await client.query("set maintenance_work_mem = '1GB'")
    await client.query(makeIndex)
  }
  await storage.prepare(`analyze ${vectorTableOf(DIMENSIONS)}`).run()
  return { versions, milliseconds: performance.now() - began }
}

interface Timed {
  readonly hits: readonly NearHit[]
  readonly milliseconds: number
}

async function time(work: () => Promise<NearHit[]>): Promise<Timed> {
  const began = performance.now()
  const hits = await work()
  return { hits, milliseconds: performance.now() - began }
}

async function measureScope(
  search: SearchStore,
  versions: readonly number[],
  share: number,
): Promise<BenchRow[]> {
  const scope = versions.slice(0, Math.ceil(versions.length * share))
  const within = (VECTORS * scope.length) / versions.length
  const plan = planIndexed({ within, all: VECTORS, dimensions: DIMENSIONS, wanted: WANTED })
  const name = `${Math.round(share * 100)} % of ${VECTORS} vectors`
  if (!plan)
    return [{ name: `${name}: all are compared`, value: within, unit: 'vectors', reached: 'shown' }]
  const times: { exact: number; indexed: number }[] = []
  let found = 0
  for (let round = 0; round < QUESTIONS; round += 1) {
    const question = { dimensions: DIMENSIONS, versions: scope, vector: pickNear(), limit: WANTED }
    const { exact, indexed } = await search.snapshot(async () => ({
      exact: await time(() => search.nearest(question)),
      indexed: await time(() => search.nearestByIndex(question, plan)),
    }))
    const ids = new Set(indexed.hits.slice(0, NEAREST).map(({ id }) => id))
    found += exact.hits.slice(0, NEAREST).filter(({ id }) => ids.has(id)).length
    times.push({ exact: exact.milliseconds, indexed: indexed.milliseconds })
  }
  const recall = found / (QUESTIONS * NEAREST)
  const ratio = median(times.map(({ exact, indexed }) => indexed / exact))
  const recallGoal = { hold: 0.95, moonshot: 0.99 }
  const timeGoal = { hold: 1, moonshot: 0.25 }
  const shown = (what: string, value: number): BenchRow => ({
    name: `${name}: ${what}`,
    value,
    unit: 'ms',
    reached: 'shown',
  })
  return [
    {
      name: `${name}: recall@10`,
      value: recall,
      unit: '',
      ...recallGoal,
      reached: judgeAtLeast(recall, recallGoal),
    },
    {
      name: `${name}: time of the index / of comparing all`,
      value: ratio,
      unit: '×',
      ...timeGoal,
      reached: judgeAtMost(ratio, timeGoal),
    },
    shown('comparing all', median(times.map(({ exact }) => exact))),
    shown('by the index', median(times.map(({ indexed }) => indexed))),
  ]
}

/** P37: measures recall and time of the vector index on PostgreSQL. */
export async function run(): Promise<BenchResult> {
  if (!hasPostgres)
    return { goal: 'P37', rows: [], notes: ['This machine has no PostgreSQL with pgvector.'] }
  const server = await startPostgres()
  try {
    const storage = await openPostgres({ address: server.address })
    const client = new pg.Client(server.address)
    await client.connect()
    const { versions, milliseconds } = await fill(storage, client)
    await client.end()
    const search = new SearchStore(storage)
    const rows: BenchRow[] = [
      {
        name: 'writing a vector with its place in the index',
        value: milliseconds / VECTORS,
        unit: 'ms',
        reached: 'shown',
      },
    ]
    for (const share of SCOPES) rows.push(...(await measureScope(search, versions, share)))
    storage.close()
    return { goal: 'P37', rows, notes: [`${CLUSTERS} random clusters of ${DIMENSIONS} values`] }
  } finally {
    await server.close()
  }
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { SearchOrder } from '../server/retrieval/searching/messages.ts'
import { SearchThread } from '../server/retrieval/searching/search-thread.ts'
import {
  judgeAtLeast,
  judgeAtMost,
  median,
  type BenchResult,
  type BenchRow,
} from './bench-result.ts'
import { COLLECTION, fillIndex } from './support/fill-index.ts'
import { createProse, createVectors } from './support/rag-index.ts'

const WANTED = 10
const SIZES = [
  { chunks: 100_000, rounds: 30, hold: 20 },
  { chunks: 1_000_000, rounds: 8, hold: 150 },
]

const ORDER: Omit<SearchOrder, 'texts' | 'vectors'> = {
  engine: 'bench',
  collections: [COLLECTION],
  documents: [],
  usesWords: false,
  wordWeight: 0.5,
  limit: WANTED,
  threshold: 0,
  tokenBudget: null,
  joinsNeighbours: false,
}

async function measure(chunks: number, rounds: number) {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-query-'))
  const file = path.join(folder, 'index.db')
  const storage = await fillIndex(file, chunks)
  const thread = new SearchThread({ database: file, vectorBytes: 1024 * 1024 * 1024 })
  const signal = new AbortController().signal
  const nearest = storage.sqlite
    .prepare<[Buffer, number]>(
      'select rowid from yardstick where vector match ? and k = ? order by distance',
    )
    .pluck()
  const next = createVectors(17)
  const prose = createProse(29)
  const [ours, theirs, hybrid]: number[][] = [[], [], []]
  let found = 0
  try {
    const cold = performance.now()
    await thread.search({ ...ORDER, texts: ['x'], vectors: [next()] }, signal)
    const first = performance.now() - cold
    for (let round = 0; round < rounds; round += 1) {
      const vector = next()
      const begun = performance.now()
      const passages = await thread.search({ ...ORDER, texts: ['x'], vectors: [vector] }, signal)
      ours!.push(performance.now() - begun)
      const asked = performance.now()
      const exact = nearest.all(Buffer.from(vector.buffer), WANTED) as number[]
      theirs!.push(performance.now() - asked)
      found += exact.filter((id) => passages.some(({ chunk_id }) => chunk_id === id)).length
      const both = performance.now()
      await thread.search(
        { ...ORDER, texts: [prose(6)], vectors: [vector], usesWords: true },
        signal,
      )
      hybrid!.push(performance.now() - both)
    }
    return {
      ours: median(ours!),
      theirs: median(theirs!),
      hybrid: median(hybrid!),
      first,
      recall: found / rounds / WANTED,
    }
  } finally {
    await thread.close()
    storage.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

export async function run(): Promise<BenchResult> {
  const rows: BenchRow[] = []
  const notes: string[] = []
  for (const { chunks, rounds, hold } of SIZES) {
    const { ours, theirs, hybrid, first, recall } = await measure(chunks, rounds)
    const name = `${chunks.toLocaleString('en')} passages`
    rows.push(
      {
        name: `${name}, query by vector`,
        value: ours,
        unit: 'ms',
        hold: `<= ${hold}`,
        reached: judgeAtMost(ours, { hold, moonshot: hold }),
      },
      {
        name: `${name}, recall@${WANTED} vs exact`,
        value: recall,
        unit: '',
        hold: '>= 0.98',
        moonshot: '>= 0.995',
        reached: judgeAtLeast(recall, { hold: 0.98, moonshot: 0.995 }),
      },
      {
        name: `${name}, vs sqlite-vec float32`,
        value: theirs / ours,
        unit: 'x faster',
        moonshot: '>= 10',
        reached: judgeAtLeast(theirs / ours, { hold: 1, moonshot: 10 }),
      },
      { name: `${name}, query by vector and words`, value: hybrid, unit: 'ms', reached: 'shown' },
    )
    notes.push(
      `${name}: sqlite-vec ${theirs.toFixed(1)} ms; first query, which reads the vectors, ${first.toFixed(0)} ms`,
    )
  }
  return {
    goal: 'P18',
    rows,
    notes: [
      ...notes,
      'Vectors in clusters; recall on texts of an engine is measured by bench/retrieval.',
    ],
  }
}

// node bench/retrieval/compare-databases.ts: checks whether PostgreSQL finds the same as the SQLite
// file in the corpus, in the same order, and measures the time. Needs PostgreSQL with pgvector.
// BENCH_QUESTIONS limits the number of questions.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startPostgres } from '../../server/testing/start-postgres.ts'
import { median } from '../bench-result.ts'
import { readCorpus } from './corpus.ts'
import { askFor, indexPassages, MODES } from './measure-quality.ts'
import { openRetrieval } from './open-retrieval.ts'

const FIRST = 10
const { passages, questions: all } = readCorpus()
const most = Number(process.env['BENCH_QUESTIONS'] ?? all.length)
const questions = all.filter((_, place) => place % Math.ceil(all.length / most) === 0)
const server = await startPostgres()
const folder = mkdtempSync(path.join(tmpdir(), 'bench-databases-'))
const file = await openRetrieval(folder)
const database = await openRetrieval(folder, {}, server.address)

async function timed<Result>(work: () => Promise<Result>) {
  const began = performance.now()
  const result = await work()
  return { result, milliseconds: performance.now() - began }
}

try {
  const writing = []
  for (const { retrieval } of [file, database])
    writing.push((await timed(() => indexPassages(retrieval, passages))).milliseconds)
  console.log(
    `${passages.length} passages written: PostgreSQL / SQLite ${(writing[1]! / writing[0]!).toFixed(2)}`,
  )
  for (const mode of MODES) {
    let [same, first, hits, common] = [0, 0, 0, 0]
    const ratios: number[] = []
    for (const { text } of questions) {
      const here = await timed(() => askFor(file.retrieval, text, mode))
      const there = await timed(() => askFor(database.retrieval, text, mode))
      const [expected, found] = [here, there].map(({ result }) =>
        result.map(({ document_id }) => document_id),
      ) as [string[], string[]]
      same += expected.join() === found.join() ? 1 : 0
      first += expected.slice(0, FIRST).join() === found.slice(0, FIRST).join() ? 1 : 0
      hits += expected.length
      common += expected.filter((id) => found.includes(id)).length
      ratios.push(there.milliseconds / here.milliseconds)
    }
    console.log(
      `${mode.padEnd(8)}${questions.length} questions: same twenty in the same order ${same}, same ten ${first}, ` +
        `hits in common ${common} of ${hits}, time PostgreSQL / SQLite ${median(ratios).toFixed(2)}`,
    )
  }
} finally {
  await file.close()
  await database.close()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}

import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type Sqlite from 'better-sqlite3'
import { connect } from '../server/storage/sqlite/connect.ts'
import { judgeAtLeast, judgeAtMost, median, type BenchResult } from './bench-result.ts'
import { addVectorTables } from '../server/retrieval/vectors/extension.ts'
import { VectorWriter } from '../server/retrieval/vectors/vector-table.ts'
import { createProse, createVectors, DIMENSIONS, openIndex, PLAN } from './support/rag-index.ts'

const MEGABYTES = 8
const ROUNDS = 5
const LARGE_MEGABYTES = 100
const BARE_ROWS = 500

const toText = (megabytes: number, seed: number): string => {
  const prose = createProse(seed)
  const parts: string[] = []
  for (let length = 0, section = 0; length < megabytes * 1e6; section += 1) {
    const part = `\n\n## Section ${section}\n\n${prose(900)}`
    length += part.length
    parts.push(part)
  }
  return Buffer.from(parts.join('')).toString('latin1')
}

/** Written piece by piece, so that nothing of its creation stays in memory. */
function readLarge(folder: string): string {
  const file = path.join(folder, 'large.txt')
  const prose = createProse(5)
  for (let length = 0, section = 0; length < LARGE_MEGABYTES * 1e6; section += 1) {
    const part = `\n\n## Section ${section}\n\n${prose(9000)}`
    length += part.length
    appendFileSync(file, part)
  }
  return readFileSync(file, 'latin1')
}

interface Piece {
  readonly start: number
  readonly end: number
}

/** Runs the garbage collector, so that the memory measured is that of the work. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
}

/**
 * Does the minimum for the same passages: writes text, terms and vector, hundreds per transaction.
 */
function ingestBare(
  folder: string,
  text: string,
  pieces: readonly Piece[],
  vectors: readonly Float32Array[],
): number {
  const sqlite: Sqlite.Database = connect(path.join(folder, `bare-${performance.now()}.db`))
  sqlite.pragma('synchronous = NORMAL')
  addVectorTables(sqlite)
  const writer = new VectorWriter(sqlite)
  writer.open(DIMENSIONS)
  sqlite.exec('create table chunk (id integer primary key, text text not null)')
  sqlite.exec(
    "create virtual table words using fts5 (text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2')",
  )
  const chunk = sqlite.prepare('insert into chunk values (?, ?)')
  const words = sqlite.prepare('insert into words (rowid, text) values (?, ?)')
  const begun = performance.now()
  for (let from = 0; from < pieces.length; from += BARE_ROWS) {
    sqlite.transaction(() => {
      for (const [row, { start, end }] of pieces.slice(from, from + BARE_ROWS).entries()) {
        const id = from + row + 1
        const piece = text.slice(start, end)
        chunk.run(id, piece)
        writer.write(id, [vectors[id % vectors.length]!])
        words.run(id, piece)
      }
    })()
  }
  const took = performance.now() - begun
  sqlite.close()
  return took
}

async function ingest(folder: string, text: string, vectors: readonly Float32Array[]) {
  const own = mkdtempSync(path.join(folder, 'ours-'))
  const { storage, thread, putInPlace } = openIndex(own)
  let next = 0
  const embed = async (texts: readonly string[]) =>
    texts.map(() => vectors[(next += 1) % vectors.length]!)
  const index = async (id: string, content: string) => {
    const source = {
      id,
      kind: 'text' as const,
      name: id,
      metadata: {},
      content: {
        text: content,
        format: 'markdown' as const,
        title: null,
        pages: [],
        language: null,
        notices: [],
      },
    }
    const version = await thread.run(
      source,
      PLAN,
      { embed, onProgress: () => {} },
      new AbortController().signal,
    )
    await putInPlace(id, version.seq)
    version.settle()
    return version
  }
  // The thread starts and loads its token counter once; a gateway processes many documents with it.
  await index('first', 'Some words to begin with.')
  const loop = monitorEventLoopDelay({ resolution: 1 })
  loop.enable()
  // Another user writes a message now and then, as in any gateway.
  const waits: number[] = []
  storage.sqlite.exec('create table other (text text)')
  const insert = storage.prepare('insert into other values (?)')
  let writing = Promise.resolve()
  const writer = setInterval(() => {
    const begun = performance.now()
    writing = insert.run('x').then(() => void waits.push(performance.now() - begun))
  }, 20)
  collectGarbage()
  const rssBefore = process.memoryUsage.rss()
  let rss = rssBefore
  const watch = setInterval(() => (rss = Math.max(rss, process.memoryUsage.rss())), 20)
  const begun = performance.now()
  const { chunks, seq } = await index('text', text)
  const took = performance.now() - begun
  clearInterval(watch)
  clearInterval(writer)
  await writing
  loop.disable()
  const blocked = loop.max / 1e6
  await thread.close()
  const pieces = storage.sqlite
    .prepare<[number], Piece>(
      'select start, end from retrieval_chunk where document_seq = ? order by id',
    )
    .all(seq)
  storage.close()
  return { took, chunks, pieces, blocked, waits, rss, rssBefore }
}

export async function run(): Promise<BenchResult> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-ingest-'))
  try {
    const next = createVectors(7)
    const vectors = Array.from({ length: 2000 }, next)
    // Runs first, while nothing else is in memory.
    const big = await ingest(folder, readLarge(folder), vectors)
    const text = toText(MEGABYTES, 3)
    const ours: Awaited<ReturnType<typeof ingest>>[] = []
    const bare: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(await ingest(folder, text, vectors))
      bare.push(ingestBare(folder, text, ours.at(-1)!.pieces, vectors))
    }
    const speed = median(ours.map(({ took }) => text.length / 1e3 / took))
    const share = median(ours.map(({ took }, round) => bare[round]! / took))
    const wait = Math.max(...ours.flatMap(({ waits }) => waits))
    const block = Math.max(...ours.map(({ blocked }) => blocked))
    const rss = big.rss / 1e6
    const growth = (big.rss - big.rssBefore) / 1e6
    return {
      goal: 'P17',
      rows: [
        {
          name: 'ingest without the model',
          value: speed,
          unit: 'MB/s',
          hold: '>= 2',
          reached: judgeAtLeast(speed, { hold: 2, moonshot: 2 }),
        },
        {
          name: 'vs a bare loop that writes the same passages',
          value: share,
          unit: 'x',
          moonshot: '>= 0.8',
          reached: judgeAtLeast(share, { hold: 0, moonshot: 0.8 }),
        },
        {
          name: `RSS while a ${LARGE_MEGABYTES} MB file goes in`,
          value: rss,
          unit: 'MB',
          moonshot: '<= 300',
          reached: judgeAtMost(rss, { hold: Number.POSITIVE_INFINITY, moonshot: 300 }),
        },
        {
          name: 'growth of it, beside the text in the memory of the caller',
          value: growth,
          unit: 'MB',
          hold: `<= ${3 * LARGE_MEGABYTES}`,
          reached: judgeAtMost(growth, { hold: 3 * LARGE_MEGABYTES, moonshot: LARGE_MEGABYTES }),
        },
        {
          name: 'longest wait of another write meanwhile',
          value: wait,
          unit: 'ms',
          reached: 'shown',
        },
        {
          name: 'longest block of the event loop meanwhile',
          value: block,
          unit: 'ms',
          hold: '<= 50',
          reached: judgeAtMost(block, { hold: 50, moonshot: 20 }),
        },
      ],
      notes: [
        `${DIMENSIONS} values a vector, ${ours[0]!.chunks} passages of ${MEGABYTES} MB; the large file: ${((LARGE_MEGABYTES * 1e3) / big.took).toFixed(1)} MB/s, ${big.chunks} passages, block ${big.blocked.toFixed(0)} ms, RSS before ${(big.rssBefore / 1e6).toFixed(0)} MB with the text in it`,
      ],
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

// Runs in a dedicated thread: splitting documents and writing the index would block all other work.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { BackgroundWrites } from '../../storage/sqlite/background-writes.ts'
import { connect } from '../../storage/sqlite/connect.ts'
import { WordIndex } from '../../storage/deletions/word-indexes.ts'
import { BACKGROUND } from '../../storage/sqlite/write-turns.ts'
import { createTokenCounter, type CountTokens } from '../splitting/count-tokens.ts'
import { splitInSlices } from '../splitting/split-in-slices.ts'
import { addVectorTables } from '../vectors/extension.ts'
import type { IndexingCommand, IndexingReport, IndexingSource, IndexingThread } from './messages.ts'
import { runJob, type JobTools } from './run-job.ts'
import { SqliteVersions } from './sqlite-versions.ts'
import { IndexingStore } from './store.ts'
import { PoliteWriter } from './write-politely.ts'

/** A running job. */
interface Running {
  readonly waiting: Map<number, PromiseWithResolvers<readonly Float32Array[]>>
  readonly cancel: AbortController
  seq: number | null
}

const port = parentPort!
const { database, writeTurns, vectorLibrary } = workerData as IndexingThread
const sqlite = connect(database)
const writes = new BackgroundWrites(sqlite, writeTurns, BACKGROUND.index)
const vectorProblem = addVectorTables(sqlite, vectorLibrary)
const store = new IndexingStore(sqlite, vectorProblem === null)
const words = new WordIndex(sqlite, 'retrieval_words')
const running = new Map<number, Running>()
/** Pieces of long texts whose jobs have not started yet. */
const pieces = new Map<number, string[]>()
let counter: Promise<CountTokens> | null = null
let purging: Promise<void> | null = null
let isPurgeWanted = false

const tell = (report: IndexingReport): void => port.postMessage(report)
const pauseFor = (signal?: AbortSignal) => async (): Promise<void> => {
  await nextTurn()
  signal?.throwIfAborted()
}
const keptVersions = (): Set<number> =>
  new Set([...running.values()].flatMap(({ seq }) => (seq === null ? [] : [seq])))

function toTools(job: number, run: Running): JobTools {
  const pause = pauseFor(run.cancel.signal)
  let batches = 0
  return {
    versions: new SqliteVersions(store, new PoliteWriter(store, writes, pause)),
    vectorProblem,
    split: (content, plan) =>
      splitInSlices(content, plan, {
        counter: () => (counter ??= createTokenCounter()),
        pause,
      }),
    embed: (texts) => {
      const answer = Promise.withResolvers<readonly Float32Array[]>()
      const batch = ++batches
      run.waiting.set(batch, answer)
      tell({ type: 'embed', job, batch, texts })
      return answer.promise
    },
    onProgress: (done, total) => tell({ type: 'progress', job, done, total }),
    onBegun: (seq) => (run.seq = seq),
  }
}

function withText(job: number, source: IndexingSource): IndexingSource {
  const parts = pieces.get(job)
  pieces.delete(job)
  if (!parts || 'storedId' in source) return source
  return { ...source, content: { ...source.content, text: parts.join('') } }
}

async function start({ job, source, plan }: IndexingCommand & { type: 'start' }): Promise<void> {
  const run: Running = { waiting: new Map(), cancel: new AbortController(), seq: null }
  running.set(job, run)
  try {
    const result = await runJob(withText(job, source), plan, toTools(job, run))
    if (result) tell({ type: 'finished', job, result })
    else tell({ type: 'failed', job, reason: 'The document no longer exists.' })
  } catch (error) {
    running.delete(job)
    tell({ type: 'failed', job, reason: error instanceof Error ? error.message : String(error) })
    await purge()
  }
}

async function purgeOnce(): Promise<void> {
  const writer = new PoliteWriter(store, writes, pauseFor())
  for (let goesOn = true; goesOn;) {
    await writer.run((rows) => {
      const purged = words.markOnly(() => store.purge(keptVersions(), rows))
      goesOn = purged.goesOn
      words.noteErased(purged.removed)
      return goesOn && !words.isDue()
    })
    const isOver = !goesOn
    await new PoliteWriter(store, writes, pauseFor()).run((pages) =>
      isOver ? words.tidySome(pages) : words.thinSome(pages),
    )
  }
}

/** A purge requested while the words are tidied would miss that round, so another one follows. */
async function purgeAll(): Promise<void> {
  try {
    while (isPurgeWanted) {
      isPurgeWanted = false
      await purgeOnce()
    }
  } finally {
    purging = null
  }
}

/** Settles when nothing unneeded is left. */
async function purge(): Promise<void> {
  isPurgeWanted = true
  await (purging ??= purgeAll())
}

async function purgeAndTell(): Promise<void> {
  await purge()
  tell({ type: 'purged' })
}

async function rebuildWords(job: number): Promise<void> {
  let last: number | null = null
  await new PoliteWriter(store, writes, pauseFor()).run((rows) => {
    if (last === null) store.clearWords()
    last = store.writeWords(last ?? 0, rows)
    return last !== null
  })
  tell({ type: 'finished', job, result: { seq: 0, chunks: 0, tokens: 0 } })
}

function unpackVectors({ count, vectors }: IndexingCommand & { type: 'vectors' }): Float32Array[] {
  const length = vectors.length / count
  return Array.from({ length: count }, (_, place) =>
    vectors.subarray(place * length, (place + 1) * length),
  )
}

async function obey(command: IndexingCommand): Promise<void> {
  if (command.type === 'text') {
    pieces.set(command.job, [...(pieces.get(command.job) ?? []), command.piece])
    return
  }
  if (command.type === 'start') return start(command)
  if (command.type === 'purge') return purgeAndTell()
  if (command.type === 'rebuild-words') return rebuildWords(command.job)
  if (command.type === 'close') {
    store.close()
    port.close()
    return
  }
  const run = running.get(command.job)
  if (command.type === 'vectors') {
    run?.waiting.get(command.batch)?.resolve(unpackVectors(command))
    run?.waiting.delete(command.batch)
    return
  }
  run?.cancel.abort(new Error('The job was stopped.'))
  for (const { reject } of run?.waiting.values() ?? []) reject(new Error('The job was stopped.'))
  running.delete(command.job)
  pieces.delete(command.job)
  return purgeAndTell()
}

tell({ type: 'vectors-checked', problem: vectorProblem })
port.on('message', (command: IndexingCommand) => void obey(command))

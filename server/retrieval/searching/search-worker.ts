// Runs in a dedicated thread: a scan of all vectors would block all other work.
import { parentPort, workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { createTokenCounter, type CountTokens } from '../splitting/count-tokens.ts'
import { addVectorTables } from '../vectors/extension.ts'
import { choosePassages } from './choose.ts'
import type { SearchCommand, SearchReport, SearchThreadOptions } from './messages.ts'
import { Searcher } from './search.ts'
import { SearchStore } from './store.ts'

const port = parentPort!
const { database, vectorBytes, vectorLibrary } = workerData as SearchThreadOptions

const sqlite = new Sqlite(database, { readonly: true, fileMustExist: true, timeout: 5000 })
const vectorProblem = addVectorTables(sqlite, vectorLibrary)
const store = new SearchStore(sqlite)
const searcher = new Searcher(store, { vectorBytes, hasVectors: vectorProblem === null })
let counter: Promise<CountTokens> | null = null

async function answer(command: Exclude<SearchCommand, { type: 'close' }>): Promise<SearchReport> {
  const { id, type } = command
  if (type === 'search') return { type: 'passages', id, passages: searcher.search(command.order) }
  if (type === 'choose')
    return { type: 'passages', id, passages: choosePassages(command.passages, command.order) }
  if (type === 'health') return { type: 'health', id, health: store.health() }
  const count = await (counter ??= createTokenCounter())
  return { type: 'count', id, tokens: count(command.text) }
}

port.postMessage({ type: 'vectors-checked', problem: vectorProblem } satisfies SearchReport)
port.on('message', (command: SearchCommand) => {
  if (command.type === 'close') {
    store.close()
    port.close()
    return
  }
  answer(command).then(
    (report) => port.postMessage(report),
    (error: unknown) =>
      port.postMessage({
        type: 'failed',
        id: command.id,
        reason: error instanceof Error ? error.message : String(error),
      } satisfies SearchReport),
  )
})

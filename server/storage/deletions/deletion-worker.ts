// Runs in a dedicated thread, which ends when nothing is left to do.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { BackgroundWrites } from '../sqlite/background-writes.ts'
import { connect } from '../sqlite/connect.ts'
import { BACKGROUND } from '../sqlite/write-turns.ts'
import type { DeletionReport, DeletionThread } from './messages.ts'
import { runDeletions, type DeletionProgress } from './run-deletions.ts'

const REPORT_MILLISECONDS = 250

const { database, writeTurns, stop, held } = workerData as DeletionThread
const sqlite = connect(database)
// Deletions lost in a power failure are repeated at the next start: the deletion itself was synced
// before.
sqlite.pragma('synchronous = NORMAL')
const writes = new BackgroundWrites(sqlite, writeTurns, BACKGROUND.deletions)
const tell = (report: DeletionReport): void => parentPort?.postMessage(report)
let nextReport = 0

function report(progress: DeletionProgress): void {
  if (performance.now() < nextReport) return
  nextReport = performance.now() + REPORT_MILLISECONDS
  tell({ type: 'progress', progress })
}

try {
  await runDeletions({
    sqlite,
    pause: () => nextTurn(),
    write: (work) => writes.run(work),
    isHeld: (id) => held.includes(id),
    isStopped: () => Atomics.load(stop, 0) === 1,
    onProgress: report,
    onErased: (deletion) => tell({ type: 'erased', deletion }),
  })
} finally {
  sqlite.close()
}

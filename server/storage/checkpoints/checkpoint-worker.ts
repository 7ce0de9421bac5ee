// Runs in a dedicated thread, which ends when it is idle for a while.
import { workerData } from 'node:worker_threads'
import { BackgroundWrites } from '../sqlite/background-writes.ts'
import { connect } from '../sqlite/connect.ts'
import { BACKGROUND } from '../sqlite/write-turns.ts'
import { STOPPED, type CheckpointThread } from './messages.ts'

const IDLE_MILLISECONDS = 10_000

const { database, writeTurns, requests } = workerData as CheckpointThread
const sqlite = connect(database)
const writes = new BackgroundWrites(sqlite, writeTurns, BACKGROUND.checkpoints)

try {
  for (;;) {
    const request = Atomics.load(requests, 0)
    if (request === STOPPED) break
    writes.emptyLog()
    if (Atomics.wait(requests, 0, request, IDLE_MILLISECONDS) === 'timed-out') break
  }
} finally {
  sqlite.close()
}

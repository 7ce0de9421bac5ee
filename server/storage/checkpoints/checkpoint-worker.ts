// Runs in a thread of its own, which ends when nobody asked for a while.
import { workerData } from 'node:worker_threads'
import { connect } from '../connect.ts'
import { BACKGROUND, writeInTurn } from '../write-turns.ts'
import { CHECKPOINT_PAGES, STOPPED, type CheckpointThread, type LogState } from './messages.ts'

const IDLE_MILLISECONDS = 10_000

const { database, writeTurns, requests } = workerData as CheckpointThread
const sqlite = connect(database)
const look = sqlite.prepare<[], LogState>('pragma wal_checkpoint(noop)')
const move = sqlite.prepare<[], LogState>('pragma wal_checkpoint(passive)')

/**
 * Moves the bulk beside those who write, and in a turn of its own the little that came meanwhile:
 * only a log that is wholly moved is begun anew.
 */
function emptyLog(): void {
  const { log, checkpointed } = look.get()!
  if (log - checkpointed < CHECKPOINT_PAGES) return
  move.get()
  writeInTurn(writeTurns, BACKGROUND.checkpoints, () => move.get())
}

try {
  for (;;) {
    const request = Atomics.load(requests, 0)
    if (request === STOPPED) break
    emptyLog()
    if (Atomics.wait(requests, 0, request, IDLE_MILLISECONDS) === 'timed-out') break
  }
} finally {
  sqlite.close()
}

// Runs slow statements in a dedicated thread. Their rows are read at once, so that no state of the
// database is kept for a slow reader, and sent page by page, because the main thread takes some
// microseconds to receive a row.
import { parentPort, workerData } from 'node:worker_threads'
import { connectToRead } from '../sqlite/connect.ts'
import { Connection } from '../sqlite/connection.ts'
import type { ReadCommand, ReadingReport, ReadThread } from './messages.ts'

const PAGE_ROWS = 1000

const port = parentPort!
const { database } = workerData as ReadThread
const connection = new Connection(connectToRead(database))
const unsent = new Map<number, { readonly rows: readonly unknown[]; next: number }>()

function takePage(id: number): ReadingReport {
  const left = unsent.get(id)!
  const rows = left.rows.slice(left.next, left.next + PAGE_ROWS)
  left.next += PAGE_ROWS
  const isLast = left.next >= left.rows.length
  if (isLast) unsent.delete(id)
  return { type: 'rows', id, rows, isLast }
}

function answer(command: Exclude<ReadCommand, { type: 'close' }>): ReadingReport {
  const { id } = command
  try {
    if (command.type === 'read') {
      const { text, values, isPlucked } = command.reading
      const rows = connection.prepare(text, isPlucked).all(...values)
      unsent.set(id, { rows, next: 0 })
    }
    return takePage(id)
  } catch (error) {
    unsent.delete(id)
    return { type: 'failed', id, reason: error instanceof Error ? error.message : String(error) }
  }
}

port.on('message', (command: ReadCommand) => {
  if (command.type === 'close') {
    connection.sqlite.close()
    port.close()
  } else port.postMessage(answer(command))
})

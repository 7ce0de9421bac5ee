// Runs in a worker thread: what is copied in one go is one state of the database, however much
// others write meanwhile. Copied in pieces, SQLite would begin anew after each write of another
// connection.
import { parentPort, workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { findFileFault } from './find-fault.ts'

const ALL_PAGES = 0x7fff_ffff

const { database, target } = workerData as { database: string; target: string }
const sqlite = new Sqlite(database, { readonly: true, fileMustExist: true, timeout: 5000 })
await sqlite.backup(target, { progress: () => ALL_PAGES })
sqlite.close()
parentPort?.postMessage(findFileFault(target))

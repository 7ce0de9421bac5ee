import { parentPort, workerData } from 'node:worker_threads'
import { copyInUse } from './copy-in-use.ts'
import { findFileFault } from '../damage/find-fault.ts'

const { database, target } = workerData as { database: string; target: string }
await copyInUse(database, target)
parentPort?.postMessage(findFileFault(target))

// Runs in a worker thread, because reading a whole database takes seconds.
import { parentPort, workerData } from 'node:worker_threads'
import { findFileFault } from './find-fault.ts'

parentPort?.postMessage(findFileFault(String(workerData)))

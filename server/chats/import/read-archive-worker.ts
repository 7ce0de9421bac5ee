// Runs in a worker thread, because reading a large archive takes seconds.
import { parentPort, workerData } from 'node:worker_threads'
import { readArchive } from './read-archive.ts'
import { ArchiveError } from './read-zip.ts'
import type { ReadingReport } from './start-reading.ts'

function read({ path, target }: { path: string; target: string }): ReadingReport {
  try {
    return { content: readArchive(path, target) }
  } catch (error) {
    if (error instanceof ArchiveError) return { refusal: error.message }
    throw error
  }
}

parentPort?.postMessage(read(workerData as { path: string; target: string }))

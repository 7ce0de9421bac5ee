// Runs in a worker thread, because reading a large archive takes seconds.
import { parentPort, workerData } from 'node:worker_threads'
import { readArchive } from './read-archive.ts'
import { ArchiveError } from './read-zip.ts'
import type { ArchiveFiles, ReadingReport } from './start-reading.ts'

function read({ path, target }: ArchiveFiles): ReadingReport {
  try {
    return { content: readArchive(path, target) }
  } catch (error) {
    if (error instanceof ArchiveError) return { refusal: error.message }
    throw error
  }
}

parentPort?.postMessage(read(workerData as ArchiveFiles))

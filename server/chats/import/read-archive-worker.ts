// Runs in a worker thread, because reading a large archive takes seconds.
import { parentPort, workerData } from 'node:worker_threads'
import { StoreError } from './programs/program.ts'
import { readArchive, readStore } from './read-archive.ts'
import { ArchiveError } from '../../lib/bytes/read-zip.ts'
import type { ArchiveFiles, ReadingReport } from './start-reading.ts'

function read({ path, target, program }: ArchiveFiles): ReadingReport {
  try {
    if (program !== undefined) return { content: readStore(program, path, target) }
    return { content: readArchive(path, target) }
  } catch (error) {
    if (error instanceof ArchiveError || error instanceof StoreError)
      return { refusal: error.message }
    throw error
  }
}

parentPort?.postMessage(read(workerData as ArchiveFiles))

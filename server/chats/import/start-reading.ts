import { Worker } from 'node:worker_threads'
import { workerFile } from '../../config/worker-file.ts'
import type { ImportSource } from '#contract/imports.ts'
import { badRequest } from '../../lib/errors.ts'
import type { ArchiveContent } from './archive-chat.ts'

/** The archive or the store of a program, and the output file for its chats. */
export interface ArchiveFiles {
  /** Absent for an archive. */
  readonly program?: ImportSource
  readonly path: string
  readonly target: string
}

/** Result of the thread: the content, or the reason why the archive is refused. */
export type ReadingReport = { readonly content: ArchiveContent } | { readonly refusal: string }

const MEMORY_MEBIBYTES = 1536
const STOPPED = 'Reading the archive was stopped.'
const TOO_LARGE = 'A chat of the archive is too large to be read.'

const toFault = (error: Error & { code?: string }): Error =>
  error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? badRequest(TOO_LARGE) : error

/** Reads an archive in another thread, until the caller aborts. */
export function startReading(files: ArchiveFiles, signal: AbortSignal): Promise<ArchiveContent> {
  if (signal.aborted) return Promise.reject(badRequest(STOPPED))
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerFile(import.meta.dirname, 'read-archive-worker'), {
      workerData: files,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MEBIBYTES },
    })
    const stop = (): void => void worker.terminate()
    signal.addEventListener('abort', stop, { once: true })
    worker.once('message', (report: ReadingReport) => {
      if ('content' in report) resolve(report.content)
      else reject(badRequest(report.refusal, { code: 'bad_archive' }))
    })
    worker.once('error', (error) => reject(toFault(error)))
    worker.once('exit', () => {
      signal.removeEventListener('abort', stop)
      reject(badRequest(STOPPED))
    })
  })
}

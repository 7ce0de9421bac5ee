import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { readProgram } from '../config/program.ts'

/**
 * TypeScript in `folder`, seen from this module when run from the sources; once bundled, a file of its
 * own beside the server's entry.
 */
export function workerFile(name: string, folder = ''): string {
  const isBundled = import.meta.filename.endsWith('.js')
  return isBundled
    ? path.join(readProgram().folder, 'out', 'server', `${name}.js`)
    : path.resolve(import.meta.dirname, folder, `${name}.ts`)
}

/**
 * Has a file of this folder, or of one inside it, do its work in another thread; answers what it
 * says first. `signal` ends the thread, wherever it is.
 */
export function askWorker<Answer>(
  name: string,
  data: unknown,
  { folder = '', signal }: { folder?: string; signal?: AbortSignal } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const worker = new Worker(workerFile(name, folder), { workerData: data })
    worker.unref()
    const end = (): void => void worker.terminate()
    signal?.addEventListener('abort', end)
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => {
      signal?.removeEventListener('abort', end)
      reject(new Error(`The thread ${name} ended early with code ${code}.`))
    })
  })
}

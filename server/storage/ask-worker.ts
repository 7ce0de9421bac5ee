import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { readProgram } from '../config/program.ts'

/**
 * Returns the TypeScript file in `folder`, relative to this module, if run from the sources; once
 * bundled, a separate file beside the server's entry.
 */
export function workerFile(name: string, folder = ''): string {
  const isBundled = import.meta.filename.endsWith('.js')
  return isBundled
    ? path.join(readProgram().folder, 'out', 'server', `${name}.js`)
    : path.resolve(import.meta.dirname, folder, `${name}.ts`)
}

/**
 * Runs a file of this folder, or of a subfolder, in another thread; resolves with its first
 * message. `signal` terminates the thread, as soon as `beforeEnd` resolves.
 */
export function askWorker<Answer>(
  name: string,
  data: unknown,
  {
    folder = '',
    signal,
    beforeEnd = () => Promise.resolve(),
  }: { folder?: string; signal?: AbortSignal; beforeEnd?: () => Promise<void> } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const worker = new Worker(workerFile(name, folder), { workerData: data })
    worker.unref()
    const end = (): void => void beforeEnd().then(() => worker.terminate())
    signal?.addEventListener('abort', end)
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => {
      signal?.removeEventListener('abort', end)
      reject(new Error(`The thread ${name} ended early with code ${code}.`))
    })
  })
}

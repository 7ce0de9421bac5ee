import { Worker } from 'node:worker_threads'
import { workerFile } from '../config/worker-file.ts'

/**
 * Runs the file `name` of a folder in another thread; resolves with its first message. `signal`
 * terminates the thread, as soon as `beforeEnd` resolves.
 */
export function askWorker<Answer>(
  folder: string,
  name: string,
  data: unknown,
  {
    signal,
    beforeEnd = () => Promise.resolve(),
  }: { signal?: AbortSignal; beforeEnd?: () => Promise<void> } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const worker = new Worker(workerFile(folder, name), { workerData: data })
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

import { existsSync } from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { markDamaged } from './damage-mark.ts'

/** The worker beside this module: TypeScript when run from the sources, a file of its own beside the bundle. */
function workerFile(): string {
  const built = path.join(import.meta.dirname, 'check-integrity-worker.js')
  return existsSync(built) ? built : path.join(import.meta.dirname, 'check-integrity-worker.ts')
}

/** Reads a whole database in another thread; answers what is wrong, or null. */
export function checkIntegrity(file: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerFile(), { workerData: file })
    worker.unref()
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The check of ${file} ended early with code ${code}.`)))
  })
}

/** Checks the database that is in use; a fault is noted for the next start, which then offers the backups, and told. */
export async function watchIntegrity(database: string, onDamage: (fault: string) => void): Promise<void> {
  const fault = await checkIntegrity(database)
  if (fault === null) return
  markDamaged(database, fault)
  onDamage(fault)
}

import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { readProgram } from '../config/program.ts'
import { markDamaged } from './damage-mark.ts'

/** TypeScript beside this module when run from the sources; once bundled, a file of its own beside the server's entry. */
function workerFile(): string {
  const isBundled = import.meta.filename.endsWith('.js')
  if (!isBundled) return path.join(import.meta.dirname, 'check-integrity-worker.ts')
  return path.join(readProgram().folder, 'out', 'server', 'check-integrity-worker.js')
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

import { badRequest } from '../../lib/errors.ts'
import type { Settings } from '../../settings/index.ts'
import type { Entry } from './entries.ts'

/** Refuses more files at once than an administrator allows (`RAG_FILE_MAX_COUNT`, 0 for any number). */
export function requireFewFiles(settings: Pick<Settings, 'integer'>, entries: readonly Entry[]): void {
  const most = settings.integer('RAG_FILE_MAX_COUNT')
  const count = new Set(entries.filter(({ type, id }) => type === 'file' && id !== null).map(({ id }) => id)).size
  if (most <= 0 || count <= most) return
  const allowed = most === 1 ? 'One file' : `${most} files`
  throw badRequest(`${allowed} can be attached at once, and these are ${count}. Remove some, or put them into a collection.`, {
    code: 'too_many_files',
  })
}

import { badRequest } from '../../lib/errors.ts'
import type { Settings } from '../../settings/index.ts'
import type { Entry } from './entries.ts'

/** Each of them is looked up, so that their number is bounded whoever sends them. */
const MOST_ENTRIES = 1000

/** Refuses more attached things than anybody can mean. */
export function requireFew(entries: readonly Entry[]): void {
  if (entries.length > MOST_ENTRIES)
    throw badRequest(
      `${MOST_ENTRIES} things can be attached, and these are ${entries.length}. Put them into a collection.`,
      {
        code: 'too_many_files',
      },
    )
}

/**
 * Refuses more files at once than an administrator allows (`RAG_FILE_MAX_COUNT`, 0 for any number).
 */
export function requireFewFiles(
  settings: Settings<'RAG_FILE_MAX_COUNT'>,
  entries: readonly Entry[],
): void {
  const most = settings.get('RAG_FILE_MAX_COUNT')
  const count = new Set(
    entries.filter(({ type, id }) => type === 'file' && id !== null).map(({ id }) => id),
  ).size
  if (most <= 0 || count <= most) return
  const allowed = most === 1 ? 'One file' : `${most} files`
  throw badRequest(
    `${allowed} can be attached at once, and these are ${count}. Remove some, or put them into a collection.`,
    {
      code: 'too_many_files',
    },
  )
}

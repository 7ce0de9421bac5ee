import { badRequest } from '../../lib/errors.ts'
import type { Settings } from '../../settings/index.ts'
import type { Entry } from './entries.ts'

/**
 * Maximum number of entries; each one is looked up, so their number is limited for every sender.
 */
const MOST_ENTRIES = 1000

/** Throws if more items are attached than any legitimate request has. */
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
 * Throws if there are more files than an administrator allows (`RAG_FILE_MAX_COUNT`, 0 for no
 * limit).
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

import { inGroups } from '../../lib/timing/in-groups.ts'
import { readInGroups } from '../../lib/timing/read-in-groups.ts'
import type { FileEntry } from '../file-entry.ts'
import type { FileStore } from '../store.ts'
import { toEntry } from './to-entry.ts'

/** Number of files whose sizes are read in one statement. */
const SIZES_AT_ONCE = 500

/** Yields files in the order of their ids, read a few at a time; deleted ones are left out. */
export async function* readEach(
  store: FileStore,
  ids: readonly string[],
): AsyncGenerator<FileEntry> {
  for (const some of inGroups(ids, SIZES_AT_ONCE)) {
    const sizes = await store.sizes(some)
    const sized = some.map((id) => ({ id, bytes: sizes.get(id) ?? 0 }))
    for await (const row of readInGroups(sized, (group) => store.several(group))) yield toEntry(row)
  }
}

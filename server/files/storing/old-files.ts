import { isRecord } from '../../lib/is-record.ts'
import type { Storage } from '../../storage/index.ts'
import { FileStore } from '../store.ts'

/** A file of an earlier version of the database. */
export interface OldFile {
  readonly user_id: string
  /** Id under which its bytes are stored. */
  readonly blob_id: string
  readonly hash: string
  readonly filename: string
  readonly content_type: string
  readonly metadata: Record<string, unknown>
  /** True if its text was to be extracted. */
  readonly isAsked: boolean
}

/** Files of a database that is not being written to. */
export interface OldFiles {
  find(id: string): Promise<OldFile | null>
}

export function openOldFiles(storage: Storage): OldFiles {
  const store = new FileStore(storage)
  return {
    async find(id) {
      const row = await store.get(id)
      if (!row) return null
      const { user_id, blob_id, hash, filename, content_type, status } = row
      const metadata: unknown = JSON.parse(row.metadata)
      return {
        user_id,
        blob_id,
        hash,
        filename,
        content_type,
        metadata: isRecord(metadata) ? metadata : {},
        isAsked: status !== null,
      }
    },
  }
}

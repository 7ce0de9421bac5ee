import type { FileUses } from '#contract/files.ts'
import type { Audio } from '../audio/index.ts'
import type { Events } from '../events/index.ts'
import type { Caller } from '../lib/http.ts'
import type { Logger } from '../lib/logger.ts'
import type { Live } from '../live/index.ts'
import type { Extraction, Retrieval } from '../retrieval/index.ts'
import type { FilesSettings } from './files-settings.ts'
import type { Bucket } from '../storage/blobs/bucket/bucket.ts'
import type { Storage } from '../storage/index.ts'
import type { Users } from '../users/index.ts'
import type { FileEntry } from './file-entry.ts'

/** Dependencies of the domain. */
export interface FilesDependencies {
  readonly storage: Storage
  readonly settings: FilesSettings
  readonly users: Users
  readonly events: Pick<Events, 'emit'>
  readonly extraction: Pick<Extraction, 'extract' | 'canExtract'>
  /** Transcribes recordings; absent if transcription is unavailable. */
  readonly recordings?: Audio
  readonly retrieval: Pick<Retrieval, 'index' | 'rename' | 'forget' | 'forgetAll' | 'collections'>
  /** Returns the uses of a file, as reported by the domains that may use one. */
  readonly uses: (caller: Caller, file: Pick<FileEntry, 'id' | 'user_id'>) => Promise<FileUses>
  readonly dataDir: string
  /** Bucket for the bytes instead of the data folder. */
  readonly bucket?: Bucket | null
  /** True if other gateways write to the same database. */
  readonly hasOtherGateways?: boolean
  /** The other gateways on the same database; null or absent if there are none. */
  readonly live?: Live | null
  readonly log: Logger
}

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

/** What the domain is built from. */
export interface FilesDependencies {
  readonly storage: Storage
  readonly settings: FilesSettings
  readonly users: Pick<Users, 'get' | 'onSessionsRevoked'>
  readonly events: Pick<Events, 'emit'>
  readonly extraction: Pick<Extraction, 'extract' | 'canExtract'>
  /** What has words of recordings; nothing has when absent. */
  readonly recordings?: Pick<Audio, 'takes' | 'transcribe'>
  readonly retrieval: Pick<Retrieval, 'index' | 'forget' | 'forgetAll' | 'collections'>
  /** What uses a file, told by the domains that may use one. */
  readonly uses: (caller: Caller, file: Pick<FileEntry, 'id' | 'user_id'>) => Promise<FileUses>
  readonly dataDir: string
  /** Where the bytes are kept instead of in the data folder. */
  readonly bucket?: Bucket | null
  /** Whether other gateways write to the same database. */
  readonly hasOtherGateways?: boolean
  /** The other gateways on the database; none when absent. */
  readonly live?: Live | null
  readonly log: Logger
}

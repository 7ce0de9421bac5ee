import type { Generated } from 'kysely'

/**
 * Kind of data removed in the background. An account by its id, all files up to a row number, one
 * file by its id, the expired chats and folders in the trash by the id of their owner, and a
 * channel by its id.
 */
export type DeletionKind = 'account' | 'files' | 'file' | 'chats' | 'channel'

/** Tables of deletions as Kysely sees them. */
export interface DeletionsTables {
  deletion: {
    id: Generated<number>
    kind: DeletionKind
    subject: string
    /** Title shown to administrators: the name of the account, else empty. */
    title: string
    created_at: number
  }
}

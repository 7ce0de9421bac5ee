import type { Generated } from 'kysely'

/**
 * What is removed in the background. An account by its id, all files up to a row number, one file
 * by its id, and by the id of their owner the chats and folders whose days in the trash are over,
 * and a channel by its id.
 */
export type DeletionKind = 'account' | 'files' | 'file' | 'chats' | 'channel'

/** Tables of deletions as Kysely sees them. */
export interface DeletionsTables {
  deletion: {
    id: Generated<number>
    kind: DeletionKind
    subject: string
    /** What administrators see of it: the name of the account, else empty. */
    title: string
    created_at: number
  }
}

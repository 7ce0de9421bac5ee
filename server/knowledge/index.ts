import type { KnowledgeStatus } from '#contract/knowledge.ts'
import type { Access } from '../access/index.ts'
import type { Files } from '../files/index.ts'
import type { Caller, Route } from '../lib/http.ts'
import type { Logger } from '../lib/logger.ts'
import type { CollectionNames, Retrieval } from '../retrieval/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Users } from '../users/index.ts'
import { checkAttachments } from './attachments.ts'
import { addFile } from './change-files.ts'
import { createCollectionNames } from './collection-names.ts'
import { keepText, type KeptText } from './keep-text.ts'
import {
  requireKnowledge,
  toRecord,
  toResource,
  type KnowledgeContext,
  type Reader,
} from './knowledge-context.ts'
import { readableIds } from './list-knowledge.ts'
import { createKnowledgeRoutes } from './routes.ts'
import { createDirectoryStore } from './directory-store.ts'
import { createLinkStore } from './link-store.ts'
import { createOwnedCollectionStore } from './owned-store.ts'
import { createKnowledgeStore } from './store.ts'

export { namesCollection, namesFile } from './attachments.ts'

/** A collection of files as other domains see it. */
export interface KnowledgeEntry {
  readonly id: string
  readonly user_id: string
  readonly name: string
  readonly description: string
  readonly status: KnowledgeStatus
}

/** Which models a caller may see, and how many folders of theirs, use a collection. */
export type KnowledgeUses = (
  caller: Caller,
  knowledgeId: string,
) => { models: { id: string; name: string }[]; folders: number }

/** Collections of files (reference §8.2), and the names collections go by (§8.3). */
export interface Knowledge {
  /** Null unless the caller may read it. */
  get(caller: Reader, id: string): KnowledgeEntry | null
  fileIds(id: string): string[]
  /** Of the collections somebody may read; for administrators those of everybody. */
  readableIds(caller: Reader): string[]
  /**
   * Puts a file the caller may hand on into a collection they may change; nothing happens when it
   * is there. Faults as `file/add`.
   */
  addFile(caller: Caller, id: string, fileId: string): void
  /** Keeps a text as a file of a collection. */
  keepText(caller: Caller, id: string, kept: KeptText): Promise<void>
  /**
   * For models and folders that bring files and collections along: 404 when `items` names something
   * the person may not read that was not there `before`.
   */
  checkAttached(userId: string, items: unknown, before: unknown): void
  /** Collections a file is in: those the caller may read, and how many others. */
  collectionsOf(
    caller: Reader,
    fileId: string,
  ): { readable: { id: string; name: string }[]; others: number }
  /** What the names of collections stand for. */
  readonly collections: CollectionNames
  readonly routes: readonly Route[]
}

/** What the domain is built from. */
export interface KnowledgeDependencies {
  readonly storage: Storage
  readonly access: Access
  readonly users: Pick<Users, 'get' | 'onSessionsRevoked'>
  readonly files: KnowledgeContext['files'] & Pick<Files, 'addReadRule'>
  readonly retrieval: Pick<Retrieval, 'collections' | 'reindex' | 'forgetAll'>
  readonly uses: KnowledgeUses
  readonly log: Logger
}

/**
 * Builds the domain on the tables of `0016-knowledge`; files of a collection become readable to
 * those who may read it.
 */
export function createKnowledge({
  storage,
  access,
  users,
  files,
  retrieval,
  uses,
  log,
}: KnowledgeDependencies): Knowledge {
  const store = {
    ...createKnowledgeStore(storage),
    ...createLinkStore(storage),
    ...createDirectoryStore(storage),
  }
  const context: KnowledgeContext = { storage, store, access, users, files, retrieval }
  files.addReadRule((userId, fileId) =>
    store
      .linksOfFile(fileId)
      .some((knowledge) => access.allows({ userId, role: 'user' }, toResource(knowledge), 'read')),
  )
  const collections = createCollectionNames({
    store: createOwnedCollectionStore(storage),
    files,
    retrieval,
    hasAccount: (userId) => users.get(userId) !== null,
    mayUseKnowledge: (caller, id, permission) => {
      const row = store.get(id)
      if (!row) return 'unknown'
      return access.allows(caller, toResource(row), permission) ? 'allowed' : 'refused'
    },
  })
  const removeOrphans = (): void =>
    void collections.removeOrphans().catch((error: unknown) => {
      // The next start goes on.
      if (storage.sqlite.open)
        log.error({ error }, 'collections of deleted accounts could not be removed yet')
    })
  // What accounts left behind while nobody looked, and when they go.
  removeOrphans()
  users.onSessionsRevoked((userId) => {
    if (!users.get(userId)) removeOrphans()
  })

  return {
    get(caller, id) {
      const row = store.get(id)
      if (!row || !access.allows(caller, toResource(row), 'read')) return null
      const { user_id, name, description, status } = toRecord(
        context,
        caller,
        row,
        store.states([id]).get(id)!,
      )
      return { id, user_id, name, description, status }
    },
    fileIds: (id) => store.links(id).map(({ file_id }) => file_id),
    readableIds: (caller) => readableIds(context, caller),
    addFile: (caller, id, fileId) => {
      if (!store.link(requireKnowledge(context, caller, id, 'write').id, fileId))
        addFile(context, caller, id, { file_id: fileId })
    },
    checkAttached: (userId, items, before) => {
      const doors = {
        collections,
        mayReadFile: (reader: Reader, id: string) => files.get(reader.userId, id) !== null,
        mayReadKnowledge: (reader: Reader, id: string) => {
          const row = store.get(id)
          return row !== null && access.allows(reader, toResource(row), 'read')
        },
      }
      checkAttachments(doors, { userId, role: users.get(userId)?.role ?? 'user' }, items, before)
    },
    collectionsOf: (caller, fileId) => {
      const rows = store.linksOfFile(fileId)
      const readable = rows.filter((row) => access.allows(caller, toResource(row), 'read'))
      return {
        readable: readable.map(({ id }) => ({ id, name: store.get(id)?.name ?? '' })),
        others: rows.length - readable.length,
      }
    },
    keepText: (caller, id, kept) => keepText(context, caller, id, kept),
    collections,
    routes: createKnowledgeRoutes(context, uses),
  }
}

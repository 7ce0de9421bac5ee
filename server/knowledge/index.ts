import { someInOrder, filterInOrder } from '../lib/in-order.ts'
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
import { OwnedCollections } from './collection-names.ts'
import { keepText, type KeptText } from './keep-text.ts'
import {
  mayRead,
  requireKnowledge,
  toRecord,
  toResource,
  type KnowledgeContext,
  type Reader,
} from './knowledge-context.ts'
import { readableIds } from './list-knowledge.ts'
import { createKnowledgeRoutes } from './routes.ts'
import { DirectoryStore } from './directory-store.ts'
import { LinkStore } from './link-store.ts'
import { OwnedCollectionStore } from './owned-store.ts'
import { KnowledgeStore, type KnowledgeRow } from './store.ts'
import type { KnowledgeUses } from './knowledge-uses.ts'

export type { KnowledgeUses } from './knowledge-uses.ts'

export {
  namesCollection,
  namesFile,
  readReference,
  type AttachmentReference,
} from './attachments.ts'

/** A collection of files as other domains see it. */
interface KnowledgeEntry {
  readonly id: string
  readonly user_id: string
  readonly name: string
  readonly description: string
  readonly status: KnowledgeStatus
}

interface KnowledgeDependencies {
  readonly storage: Storage
  readonly access: Access
  readonly users: Users
  readonly files: KnowledgeContext['files'] & Pick<Files, 'addReadRule'>
  readonly retrieval: Pick<Retrieval, 'collections' | 'reindex' | 'forgetAll'>
  readonly uses: KnowledgeUses
  readonly log: Logger
}

/**
 * Collections of files and their names, on the tables of `0016-knowledge`. Readers of a collection
 * may read its files.
 */
export class Knowledge {
  readonly #deps: KnowledgeDependencies
  readonly #context: KnowledgeContext
  /** Resolves the names of collections. */
  readonly collections: CollectionNames
  readonly routes: readonly Route[]

  constructor(deps: KnowledgeDependencies) {
    this.#deps = deps
    const { storage, access, users, files, retrieval } = deps
    const linkStore = new LinkStore(storage)
    this.#context = {
      storage,
      store: new KnowledgeStore(storage),
      linkStore,
      directoryStore: new DirectoryStore(storage),
      access,
      users,
      files,
      retrieval,
    }
    files.addReadRule(
      async (userId, fileId) =>
        await someInOrder(await linkStore.linksOfFile(fileId), (knowledge) =>
          access.allows({ userId, role: 'user' }, toResource(knowledge), 'read'),
        ),
    )
    this.collections = new OwnedCollections({
      store: new OwnedCollectionStore(storage),
      files,
      retrieval,
      hasAccount: async (userId) => (await users.get(userId)) !== null,
      mayUseKnowledge: async (caller, id, permission) => {
        const row = await this.#context.store.get(id)
        if (!row) return 'unknown'
        return (await access.allows(caller, toResource(row), permission)) ? 'allowed' : 'refused'
      },
    })
    // Accounts may also have been deleted while the gateway was stopped.
    this.#removeOrphans()
    users.onRemoved(async () => {
      // Not within the transaction that deletes the account, because that does not wait for it.
      deps.storage.afterCommit(() => this.#removeOrphans())
    })
    this.routes = createKnowledgeRoutes(this.#context, deps.uses)
  }

  /** Resolves with null unless the caller may read it. */
  async get(caller: Reader, id: string): Promise<KnowledgeEntry | null> {
    const { store } = this.#context
    const row = await this.#readable(caller, id)
    if (!row) return null
    const states = (await store.states([id])).get(id)!
    const { user_id, name, description, status } = await toRecord(
      this.#context,
      caller,
      row,
      states,
    )
    return { id, user_id, name, description, status }
  }

  async fileIds(id: string): Promise<string[]> {
    return (await this.#context.linkStore.links(id)).map(({ file_id }) => file_id)
  }

  /** Ids of the collections a caller may read; administrators read all. */
  readableIds(caller: Reader): Promise<string[]> {
    return readableIds(this.#context, caller)
  }

  /**
   * Adds a file the caller may share to a collection they may change; does nothing if it is already
   * there. Same errors as `file/add`.
   */
  async addFile(caller: Caller, id: string, fileId: string): Promise<void> {
    await requireKnowledge(this.#context, caller, id, 'write')
    if (!(await this.#context.linkStore.link(id, fileId)))
      await addFile(this.#context, caller, id, { file_id: fileId })
  }

  /** Stores a text as a file of a collection. */
  keepText(caller: Caller, id: string, kept: KeptText): Promise<void> {
    return keepText(this.#context, caller, id, kept)
  }

  /**
   * For models and folders with attached files and collections: throws 404 if `items` names an
   * object that the user may not read and that was not attached `before`.
   */
  async checkAttached(userId: string, items: unknown, before: unknown): Promise<void> {
    const { files, users } = this.#deps
    await checkAttachments(
      {
        collections: this.collections,
        mayReadFile: async (reader, id) => (await files.get(reader.userId, id)) !== null,
        mayReadKnowledge: async (reader, id) => (await this.#readable(reader, id)) !== null,
      },
      { userId, role: (await users.get(userId))?.role ?? 'user' },
      items,
      before,
    )
  }

  /** Collections a file is in: those the caller may read, and the number of others. */
  async collectionsOf(
    caller: Reader,
    fileId: string,
  ): Promise<{ readable: { id: string; name: string }[]; others: number }> {
    const rows = await this.#context.linkStore.linksOfFile(fileId)
    const readable = await filterInOrder(rows, (row) => mayRead(this.#context, caller, row))
    return {
      readable: readable.map(({ id, name }) => ({ id, name })),
      others: rows.length - readable.length,
    }
  }

  async #readable(caller: Reader, id: string): Promise<KnowledgeRow | null> {
    const row = await this.#context.store.get(id)
    return row && (await mayRead(this.#context, caller, row)) ? row : null
  }

  #removeOrphans(): void {
    this.collections.removeOrphans().catch((error: unknown) => {
      // The next start removes the rest.
      if (this.#deps.storage.isOpen)
        this.#deps.log.error({ error }, 'collections of deleted accounts could not be removed yet')
    })
  }
}

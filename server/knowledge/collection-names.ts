import { createHash } from 'node:crypto'
import type { Files } from '../files/index.ts'
import { badRequest, notFound, unauthorized } from '../lib/errors.ts'
import { newId, nowSeconds } from '../lib/ids.ts'
import { runInTurns } from '../lib/turns.ts'
import type {
  CollectionNames,
  CollectionReader,
  NamedCollection,
  Retrieval,
} from '../retrieval/index.ts'
import type { OwnedCollectionRow, OwnedCollectionStore } from './owned-store.ts'

const FILE_PREFIX = 'file-'
/** Internal names of the index and of memories; clients cannot use them. */
const INTERNAL = /^(owned-|user-memory-|knowledge-bases$)/i
/** Names with a special meaning; clients cannot create them. */
const RESERVED = /^(file-|owned-|user-memory-|web-search-|knowledge-bases$)/i
const LONGEST_NAME = 256
/** Number of documents removed from the index in one transaction. */
const DOCUMENTS = 50

/**
 * Returns the name clients expect: the hexadecimal SHA-256 of a text, or its first 63 digits for a
 * URL.
 */
function generateName(source: string, kind: Kind): string {
  const hash = createHash('sha256').update(source).digest('hex')
  return kind === 'text' ? hash : hash.slice(0, 63)
}

interface CollectionRights {
  readonly store: OwnedCollectionStore
  readonly files: Pick<Files, 'get'>
  readonly retrieval: Pick<Retrieval, 'forgetAll' | 'collections'>
  readonly hasAccount: (userId: string) => Promise<boolean>
  /** Reports whether there is a collection of files, and what the caller may do with it. */
  readonly mayUseKnowledge: (
    caller: CollectionReader,
    id: string,
    permission: 'read' | 'write',
  ) => Promise<'allowed' | 'refused' | 'unknown'>
}

type Kind = OwnedCollectionRow['kind']

const toOwn = ({ id, name }: OwnedCollectionRow) =>
  ({ kind: 'own', scope: `owned-${id}`, name }) as const

const missing = () => notFound('There is no such collection.')

/** The only place that resolves the names of collections. */
export class OwnedCollections implements CollectionNames {
  readonly #deps: CollectionRights

  constructor(deps: CollectionRights) {
    this.#deps = deps
  }

  async resolve(
    caller: CollectionReader,
    name: string,
    permission: 'read' | 'write',
  ): Promise<NamedCollection | null> {
    if (name.startsWith(FILE_PREFIX))
      return this.#resolveFile(caller, name.slice(FILE_PREFIX.length), permission)
    if (INTERNAL.test(name)) return null
    const verdict = await this.#deps.mayUseKnowledge(caller, name, permission)
    if (verdict === 'allowed') return { kind: 'knowledge', scope: name, knowledgeId: name }
    // The rows of a deleted account are removed a little later.
    const own =
      verdict === 'unknown' && (await this.#deps.hasAccount(caller.userId))
        ? await this.#deps.store.find(caller.userId, name)
        : null
    return own && toOwn(own)
  }

  async checkName(caller: CollectionReader, name: string): Promise<void> {
    if (await this.resolve(caller, name, 'write')) return
    if (name.trim() === '' || name.length > LONGEST_NAME)
      throw badRequest('The name of a collection has 1 to 256 characters.')
    if (
      RESERVED.test(name) ||
      (await this.#deps.mayUseKnowledge(caller, name, 'write')) !== 'unknown' ||
      (await this.#deps.store.isTaken(name))
    )
      throw missing()
  }

  async require(
    caller: CollectionReader,
    name: string,
    permission: 'read' | 'write',
  ): Promise<NamedCollection> {
    const found = await this.resolve(caller, name, permission)
    if (!found) throw missing()
    return found
  }

  async open(caller: CollectionReader, name: string, kind: Kind): Promise<NamedCollection> {
    await this.checkName(caller, name)
    return (await this.resolve(caller, name, 'write')) ?? (await this.#create(caller, name, kind))
  }

  async openGenerated(caller: CollectionReader, source: string, kind: Kind, prefix = '') {
    const name = prefix + generateName(source, kind)
    const own = await this.#deps.store.find(caller.userId, name)
    return own ? toOwn(own) : await this.#create(caller, name, kind)
  }

  async removeAll(): Promise<void> {
    return runInTurns(this.#removeRows(await this.#deps.store.all()))
  }

  async removeOrphans(): Promise<void> {
    return runInTurns(this.#removeRows(await this.#deps.store.orphans()))
  }

  async #resolveFile(
    caller: CollectionReader,
    fileId: string,
    permission: 'read' | 'write',
  ): Promise<NamedCollection | null> {
    const file = await this.#deps.files.get(caller.userId, fileId)
    const isAllowed =
      file && (permission === 'read' || file.user_id === caller.userId || caller.role === 'admin')
    return isAllowed ? { kind: 'file', scope: FILE_PREFIX + fileId, fileId } : null
  }

  async #create(caller: CollectionReader, name: string, kind: Kind) {
    // Fetching pages takes time, and the account may be deleted meanwhile.
    if (!(await this.#deps.hasAccount(caller.userId)))
      throw unauthorized('This account no longer exists.')
    const now = nowSeconds()
    const row = {
      id: newId(),
      user_id: caller.userId,
      name,
      kind,
      created_at: now,
      updated_at: now,
    }
    // Two calls may create the same collection.
    return toOwn(await this.#deps.store.ensure(row))
  }

  /** If this is interrupted, the collection still exists with the rest of its documents. */
  async *#removeRows(rows: readonly OwnedCollectionRow[]): AsyncGenerator<void, void> {
    for (const row of rows) {
      const { scope } = toOwn(row)
      // Documents can be added between two steps.
      for (
        let ids = await this.#deps.retrieval.collections.documents(scope);
        ids.length > 0;
        ids = await this.#deps.retrieval.collections.documents(scope)
      ) {
        for (let from = 0; from < ids.length; from += DOCUMENTS) {
          await this.#deps.retrieval.forgetAll(ids.slice(from, from + DOCUMENTS))
          yield
        }
      }
      await this.#deps.retrieval.collections.drop(scope)
      await this.#deps.store.remove(row.id)
      yield
    }
  }
}

import type { Caller } from '../lib/http.ts'

/** Meaning of a collection name for its caller. `scope` is the name in the index. */
export type NamedCollection =
  | { readonly kind: 'file'; readonly scope: string; readonly fileId: string }
  | { readonly kind: 'knowledge'; readonly scope: string; readonly knowledgeId: string }
  | { readonly kind: 'own'; readonly scope: string; readonly name: string }

/** The caller, for access checks. */
export type CollectionReader = Pick<Caller, 'userId' | 'role'>

/**
 * Collection names as used by clients (docs/wire-format.md): `file-<id>`, the id of a collection of
 * files, or a user-defined name for pages and texts. User-defined names are separate per user, so
 * that other users can neither use nor guess them.
 */
export interface CollectionNames {
  /** Returns null for names that are unknown, internal or of another user, without distinction. */
  resolve(
    caller: CollectionReader,
    name: string,
    permission: 'read' | 'write',
  ): Promise<NamedCollection | null>
  /** Like `resolve`; throws 404 instead of returning null. */
  require(
    caller: CollectionReader,
    name: string,
    permission: 'read' | 'write',
  ): Promise<NamedCollection>
  /** Throws like `open`, without creating anything. */
  checkName(caller: CollectionReader, name: string): Promise<void>
  /**
   * Resolves a name for writing pages and texts; creates a new user-defined name. Throws 404 for
   * internal names and those of others.
   */
  open(caller: CollectionReader, name: string, kind: 'web' | 'text'): Promise<NamedCollection>
  /**
   * Same as `open`, under a name generated from a URL or a text, which several users may have in
   * common.
   */
  openGenerated(
    caller: CollectionReader,
    source: string,
    kind: 'web' | 'text',
    prefix?: string,
  ): Promise<NamedCollection & { readonly name: string }>
  /** Removes all users' collections of pages and texts. */
  removeAll(): Promise<void>
  /** Removes those of deleted accounts. */
  removeOrphans(): Promise<void>
}

import type { Caller } from '../lib/http.ts'

/**
 * What a name of a collection stands for, for the one who said it. `scope` is the name the index
 * knows it by.
 */
export type NamedCollection =
  | { readonly kind: 'file'; readonly scope: string; readonly fileId: string }
  | { readonly kind: 'knowledge'; readonly scope: string; readonly knowledgeId: string }
  | { readonly kind: 'own'; readonly scope: string; readonly name: string }

/** Who asks, as far as access goes. */
export type CollectionReader = Pick<Caller, 'userId' | 'role'>

/**
 * Names of collections as clients say them (docs/wire-format.md): `file-<id>`, the id of a
 * collection of files, or a name of one's own for pages and texts. Names of one's own are set apart
 * by person, so that nobody can say or guess the name of another's.
 */
export interface CollectionNames {
  /** Null for names that are unknown, internal or somebody else's, all alike. */
  resolve(
    caller: CollectionReader,
    name: string,
    permission: 'read' | 'write',
  ): Promise<NamedCollection | null>
  /** As `resolve`; 404 instead of null. */
  require(
    caller: CollectionReader,
    name: string,
    permission: 'read' | 'write',
  ): Promise<NamedCollection>
  /** Throws as `open` would, and makes nothing. */
  checkName(caller: CollectionReader, name: string): Promise<void>
  /**
   * For writing pages and texts; makes a name of one's own that is new. 404 for internal names and
   * those of others.
   */
  open(caller: CollectionReader, name: string, kind: 'web' | 'text'): Promise<NamedCollection>
  /** The same under a name made up from an address or a text, which several people may come to. */
  openGenerated(
    caller: CollectionReader,
    source: string,
    kind: 'web' | 'text',
    prefix?: string,
  ): Promise<NamedCollection & { readonly name: string }>
  /** Removes everybody's collections of pages and texts. */
  removeAll(): Promise<void>
  /** Removes those of accounts that are gone. */
  removeOrphans(): Promise<void>
}

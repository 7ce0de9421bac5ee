import type { MentionedMessage } from './parse-message.ts'

/** Stored links of a tree; only queried for messages mentioned in a body and their links. */
export interface StoredLinks {
  /**
   * Returns the parent of a stored message, null for a root, undefined for a message that is not
   * stored.
   */
  parentOf(id: string): Promise<string | null | undefined>
  /**
   * Returns the stored message that lists this one as a child although it was not stored so far.
   */
  expectedBy(id: string): Promise<string | null>
  readonly currentId: string | null
}

/** Links of the mentioned messages after the repair. */
export interface LinkPlan {
  /** Parents of new messages and of moved stored ones. */
  readonly parents: ReadonlyMap<string, string | null>
  /** Children that are listed but not stored, with the message that lists them. */
  readonly expected: readonly { parentId: string; childId: string }[]
}

/** State of one resolution. */
export interface Resolution {
  readonly mentioned: ReadonlyMap<string, MentionedMessage>
  readonly stored: StoredLinks
  readonly repairs: string[]
  readonly parents: Map<string, string | null>
  /**
   * Messages whose parent was inferred rather than given; such a link is dropped if it would close
   * a cycle.
   */
  readonly concluded: Set<string>
  readonly expected: { parentId: string; childId: string }[]
  /** Listing parents of the mentioned messages, by child. */
  readonly listedBy: ReadonlyMap<string, string>
}

/** Returns the current parent in the resolution; null for roots. */
export const parentSoFar = async (
  { parents, stored }: Resolution,
  id: string,
): Promise<string | null> =>
  parents.has(id) ? parents.get(id)! : ((await stored.parentOf(id)) ?? null)

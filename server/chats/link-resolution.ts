import type { MentionedMessage } from './parse-message.ts'

/** What is stored of a tree already; asked only about messages a body mentions and their links. */
export interface StoredLinks {
  /**
   * The parent of a stored message, null for a root, undefined for a message that is not stored.
   */
  parentOf(id: string): Promise<string | null | undefined>
  /** The stored message that lists this one as a child although it was not stored so far. */
  expectedBy(id: string): Promise<string | null>
  readonly currentId: string | null
}

/** The links of the mentioned messages after mending. */
export interface LinkPlan {
  /** Parents of new messages and of stored ones that move. */
  readonly parents: ReadonlyMap<string, string | null>
  /** Children that are listed but stored nowhere, with the message that lists them. */
  readonly expected: readonly { parentId: string; childId: string }[]
}

/** The state of one resolution. */
export interface Resolution {
  readonly mentioned: ReadonlyMap<string, MentionedMessage>
  readonly stored: StoredLinks
  readonly repairs: string[]
  readonly parents: Map<string, string | null>
  /**
   * Messages whose parent was concluded rather than said; such a link gives way when it would close
   * a circle.
   */
  readonly concluded: Set<string>
  readonly expected: { parentId: string; childId: string }[]
  /** Who lists whom among the mentioned messages. */
  readonly listedBy: ReadonlyMap<string, string>
}

/** The parent as it stands in the resolution so far; null for roots. */
export const parentSoFar = async (
  { parents, stored }: Resolution,
  id: string,
): Promise<string | null> =>
  parents.has(id) ? parents.get(id)! : ((await stored.parentOf(id)) ?? null)

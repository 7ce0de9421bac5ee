import type { Caller } from '../lib/http.ts'

/**
 * Returns the models a caller may see, and the number of the caller's folders, that use a
 * collection.
 */
export type KnowledgeUses = (
  caller: Caller,
  knowledgeId: string,
) => Promise<{ models: { id: string; name: string }[]; folders: number }>

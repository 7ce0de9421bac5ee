import type { Caller } from '../lib/http.ts'

/** Which models a caller may see, and how many folders of theirs, use a collection. */
export type KnowledgeUses = (
  caller: Caller,
  knowledgeId: string,
) => Promise<{ models: { id: string; name: string }[]; folders: number }>

import { newId } from '../../lib/ids.ts'
import type { Passage } from '../../retrieval/index.ts'
import type { Library } from './library.ts'
import type { WholeText } from './readings.ts'

interface Wanted {
  readonly texts: readonly string[]
  readonly collections: readonly string[]
  readonly tokenBudget: number
}

/**
 * Searches index collections together with texts that are in none; the latter are indexed for the
 * duration of the search. A passage of such a text has the id that `toLooseId` derives from its
 * index.
 */
export async function searchWithLoose(
  { retrieval }: Pick<Library, 'retrieval'>,
  { texts, collections, tokenBudget }: Wanted,
  loose: readonly WholeText[],
  signal: AbortSignal,
): Promise<Passage[]> {
  const borrowed: string[] = []
  try {
    for (const whole of loose) borrowed.push(await indexForNow(retrieval, whole, signal))
    const passages = await retrieval.search(
      { texts, collections, documents: borrowed, tokenBudget },
      signal,
    )
    return passages.map((passage) => nameLoose(passage, borrowed))
  } finally {
    for (const id of borrowed) await retrieval.forget(id)
  }
}

export const toLooseId = (index: number): string => `loose:${index}`

async function indexForNow(
  retrieval: Library['retrieval'],
  { source, read }: WholeText,
  signal: AbortSignal,
): Promise<string> {
  const id = `passing-${newId()}`
  const content = {
    text: await read(),
    format: 'text',
    title: source.name,
    pages: [],
    language: null,
    notices: [],
  } as const
  await retrieval.index({ id, kind: 'text', name: source.name, content }, { signal })
  return id
}

/** Replaces the temporary document id by the index of the text among the loose ones. */
function nameLoose(passage: Passage, borrowed: readonly string[]): Passage {
  const index = borrowed.indexOf(passage.document_id)
  return index === -1 ? passage : { ...passage, document_id: toLooseId(index) }
}

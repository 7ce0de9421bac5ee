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
 * Searches collections of the index together with texts that are in none, which are put there for
 * as long as that takes. A passage of such a text has the id `toLooseId` gives its place.
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

/** The passing id means nothing to anybody; the place of the text among the loose ones does. */
function nameLoose(passage: Passage, borrowed: readonly string[]): Passage {
  const index = borrowed.indexOf(passage.document_id)
  return index === -1 ? passage : { ...passage, document_id: toLooseId(index) }
}

import type { Passage } from '../../retrieval/index.ts'
import type { Exchange } from '../exchange.ts'
import { cutToFit } from './choose-whole.ts'
import type { Library } from './library.ts'
import type { Reading, WholeText } from './readings.ts'

/** Results of a source search. */
export interface Found {
  readonly passages: readonly Passage[]
  /** Beginnings of files in which no passage was found. */
  readonly beginnings: readonly WholeText[]
}

interface Searched {
  readonly library: Pick<Library, 'retrieval'>
  readonly exchange: Pick<Exchange, 'share' | 'signal'>
  readonly texts: readonly string[]
  readonly readings: readonly (Reading & { readonly isAttached: boolean })[]
  /** Maximum number of tokens of all results together. */
  readonly tokenBudget: number
}

/** Maximum number of tokens of a beginning that represents a whole file. */
const BEGINNING_TOKENS = 250

/**
 * Adds the best passage of each attached file that has none among the overall best, and the
 * beginning of a file in which the search finds nothing; results that exceed the budget are left
 * out.
 */
export async function addMissing(searched: Searched, best: readonly Passage[]): Promise<Found> {
  const { library, readings, tokenBudget } = searched
  const passages = [...best]
  const beginnings: WholeText[] = []
  const known = new Set(best.map(({ document_id: id }) => id))
  let left = tokenBudget - best.reduce((sum, { tokens }) => sum + tokens, 0)
  for (const reading of readings) {
    const [file] = reading.files
    if (!reading.isAttached || !file || known.has(file.id) || left <= 0) continue
    const passage = await findOne(searched, reading, file.id)
    if (passage && passage.tokens <= left) {
      passages.push(passage)
      left -= passage.tokens
      continue
    }
    const room = Math.min(left, BEGINNING_TOKENS)
    const cut = await cutToFit(library, [reading], room)
    beginnings.push(...cut)
    if (cut.length > 0) left -= room
  }
  return { passages, beginnings }
}

async function findOne(
  { library, exchange, texts }: Searched,
  { collections }: Reading,
  fileId: string,
): Promise<Passage | null> {
  if (texts.length === 0) return null
  const { signal } = exchange
  const find = () =>
    library.retrieval.search({ texts, collections, limit: 1, threshold: 0, rerank: false }, signal)
  const found = await exchange.share(
    JSON.stringify(['search one', texts, collections]),
    signal,
    find,
  )
  return found.find(({ document_id: id }) => id === fileId) ?? null
}

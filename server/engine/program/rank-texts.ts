import { isRecord, type Fields } from '../../lib/is-record.ts'
import { EngineFault } from './fault.ts'
import type { LoadedModel } from './loaded-model.ts'

export interface Ranked {
  /** Relevance of each text to the query, between 0 and 1. */
  readonly scores: readonly number[]
  readonly tokens: number
}

const MOST_TEXTS = 1024

/** Returns the text of a document, which clients send plainly or as an object. */
function textOf(document: unknown): string | null {
  if (typeof document === 'string') return document
  return isRecord(document) && typeof document['text'] === 'string' ? document['text'] : null
}

export function readDocuments({ documents }: Fields): readonly string[] {
  const texts = Array.isArray(documents) ? documents.map(textOf) : []
  if (texts.length === 0 || !texts.every((text) => text !== null))
    throw new EngineFault(400, 'The field "documents" must be a list of texts.')
  if (texts.length > MOST_TEXTS)
    throw new EngineFault(400, `At most ${MOST_TEXTS} texts can be ranked at once.`)
  return texts
}

export function readQuery({ query }: Fields): string {
  if (typeof query !== 'string' || query.trim() === '')
    throw new EngineFault(400, 'The field "query" must be a text.')
  return query
}

/**
 * Scores texts for a query, one after the other. Of a text that is too long for the model, the best
 * part counts.
 */
export async function rankTexts(
  model: LoadedModel,
  { query, texts }: { readonly query: string; readonly texts: readonly string[] },
  signal: AbortSignal,
): Promise<Ranked> {
  const context = await model.ranking()
  if (context.calculateInputLength(query, '') >= context.contextSize / 2)
    throw new EngineFault(400, 'The query is longer than this model can read.')
  const scores: number[] = []
  let tokens = 0
  for (const text of texts) {
    if (signal.aborted) break
    tokens += context.calculateInputLength(query, text)
    scores.push(await context.rank(query, text, { onOverflow: 'maxChunk' }))
  }
  return { scores, tokens }
}

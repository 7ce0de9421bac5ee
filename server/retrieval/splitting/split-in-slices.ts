import type { ExtractedDocument } from '../extraction/index.ts'
import type { IndexingPlan } from '../indexing/messages.ts'
import { countCharacters, type CountTokens } from './count-tokens.ts'
import type { Chunk } from './pack-chunks.ts'
import { splitDocument } from './split-document.ts'

const SLICE_MILLISECONDS = 20

/** Services of a thread that splits documents. */
export interface SplittingTools {
  readonly counter: () => Promise<CountTokens>
  /** Lets other messages be received; throws if the work was cancelled. */
  readonly pause: () => Promise<void>
}

/** Splits a document, with pauses. */
export async function splitInSlices(
  content: ExtractedDocument,
  plan: IndexingPlan,
  { counter, pause }: SplittingTools,
): Promise<Chunk[]> {
  const count = plan.unit === 'tokens' ? await counter() : countCharacters
  const chunks: Chunk[] = []
  let until = performance.now() + SLICE_MILLISECONDS
  for (const chunk of splitDocument(content, { ...plan, count })) {
    chunks.push(chunk)
    if (performance.now() < until) continue
    await pause()
    until = performance.now() + SLICE_MILLISECONDS
  }
  return chunks
}

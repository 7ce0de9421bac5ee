import { mapInOrder } from '../../lib/in-order.ts'
import type { Source } from '#contract/completions.ts'
import type { Passage } from '../../retrieval/index.ts'
import type { WholeText } from './readings.ts'

/** Converts a whole text into a source. */
export const toWholeSource = async ({
  source,
  length,
  read,
  fileId,
}: WholeText): Promise<Source> => ({
  source,
  document: [await read()],
  metadata: [
    {
      source: source.name,
      name: source.name,
      ...(fileId !== null && { file_id: fileId }),
      start: 0,
      end: length,
      score: 1,
    },
  ],
  distances: [1],
})

/**
 * Converts passages into sources, one for each document in the order of its best passage; within a
 * source they are ordered as in the document.
 */
export async function toPassageSources(
  passages: readonly Passage[],
  describe: (passage: Passage) => Promise<Source['source']>,
): Promise<Source[]> {
  const byDocument = Map.groupBy(passages, ({ document_id: id }) => id)
  return await mapInOrder([...byDocument.values()], async (found) => {
    const sorted = found.toSorted((one, other) => one.start - other.start)
    const source = await describe(sorted[0]!)
    return {
      source,
      document: sorted.map(({ preface, text }) => (preface === '' ? text : `${preface}\n${text}`)),
      metadata: sorted.map((passage) => toMetadata(passage, source)),
      distances: sorted.map(({ score }) => score),
    }
  })
}

const toMetadata = (passage: Passage, source: Source['source']): Record<string, unknown> => ({
  source: source.name,
  name: source.name,
  ...(source.type === 'file' && { file_id: passage.document_id }),
  ...(passage.page !== null && { page: passage.page }),
  ...(passage.page_label !== null && { page_label: passage.page_label }),
  ...(passage.heading.length > 0 && { heading: passage.heading }),
  start: passage.start,
  end: passage.end,
  chunk_id: passage.chunk_id,
  score: passage.score,
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { LabelledPassage, readCorpus } from './corpus.ts'
import { openRetrieval } from './open-retrieval.ts'

/** Results of one passage size in long documents. */
export interface SizeReport {
  readonly size: number
  /** Share of questions whose answer is whole in the passages that fit the budget. */
  readonly found: number
  /** Mean number of tokens of a returned passage. */
  readonly tokens: number
}

/** Number of passages in a document. */
const PER_DOCUMENT = 26
const COLLECTION = 'evaluation'
const never = new AbortController().signal

interface LongDocument {
  readonly id: string
  readonly text: string
}

interface Spot {
  readonly document: string
  readonly start: number
  readonly end: number
}

/**
 * Joins the passages to long documents on mixed subjects; also returns the position of each
 * labelled passage.
 */
function joinPassages(passages: readonly LabelledPassage[]): {
  documents: LongDocument[]
  spots: Map<string, Spot>
} {
  const spots = new Map<string, Spot>()
  const documents: LongDocument[] = []
  for (let from = 0; from < passages.length; from += PER_DOCUMENT) {
    const id = `document-${documents.length}`
    let text = ''
    for (const passage of passages.slice(from, from + PER_DOCUMENT)) {
      spots.set(passage.id, {
        document: id,
        start: text.length,
        end: text.length + passage.text.length,
      })
      text += `${passage.text}\n\n`
    }
    documents.push({ id, text })
  }
  return { documents, spots }
}

/** Splits long documents by a size and asks every question with a token budget for passages. */
export async function measureSize(
  { passages, questions }: ReturnType<typeof readCorpus>,
  size: number,
  budget: number,
): Promise<SizeReport> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-retrieval-'))
  const overlap = Math.round(size / 8)
  const minimum = Math.round(size / 4)
  const opened = await openRetrieval(folder, {
    CHUNK_SIZE: `${size}`,
    CHUNK_OVERLAP: `${overlap}`,
    CHUNK_MIN_SIZE_TARGET: `${minimum}`,
  })
  const { documents, spots } = joinPassages(passages)
  try {
    for (const { id, text } of documents) {
      const content = {
        text,
        format: 'text' as const,
        title: null,
        pages: [],
        language: null,
        notices: [],
      }
      await opened.retrieval.index({ id, kind: 'text', name: 'notes', content }, { signal: never })
      await opened.retrieval.collections.add(COLLECTION, id)
    }
    let [found, tokens, handedOut] = [0, 0, 0]
    for (const question of questions) {
      const query = {
        texts: [question.text],
        collections: [COLLECTION],
        limit: 20,
        threshold: 0,
        tokenBudget: budget,
      }
      const answers = await opened.retrieval.search(query, never)
      handedOut += answers.length
      tokens += answers.reduce((sum, answer) => sum + answer.tokens, 0)
      const isWhole = question.passages.some((id) => {
        const spot = spots.get(id)!
        return answers.some(
          ({ document_id, start, end }) =>
            document_id === spot.document && start <= spot.start && end >= spot.end,
        )
      })
      if (isWhole) found += 1
    }
    return { size, found: found / questions.length, tokens: tokens / handedOut }
  } finally {
    await opened.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

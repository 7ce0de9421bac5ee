import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { LabelledQuestion, readCorpus } from './corpus.ts'
import { openRetrieval } from './open-retrieval.ts'

export const MODES = ['vector', 'words', 'hybrid'] as const
export type Mode = (typeof MODES)[number]

/** Rank of the right passage, from 1; null if it was not among the first twenty. */
export interface Placed {
  readonly question: LabelledQuestion
  readonly place: number | null
}

/** Share of questions with the right passage among the first five, and the mean of 1 / rank. */
export interface Quality {
  readonly questions: number
  readonly recallAt5: number
  readonly meanReciprocalRank: number
}

const COLLECTION = 'evaluation'
const DEPTH = 20
const never = new AbortController().signal

type Opened = Awaited<ReturnType<typeof openRetrieval>>['retrieval']

/** Indexes each passage as a separate document. */
export async function indexPassages(
  retrieval: Opened,
  passages: ReturnType<typeof readCorpus>['passages'],
): Promise<void> {
  for (const { id, text } of passages) {
    const content = {
      text,
      format: 'text' as const,
      title: null,
      pages: [],
      language: null,
      notices: [],
    }
    await retrieval.index({ id, kind: 'text', name: 'notes', content }, { signal: never })
    await retrieval.collections.add(COLLECTION, id)
  }
}

/** Searches for a text without a threshold. */
export const askFor = (retrieval: Opened, text: string, mode: Mode) =>
  retrieval.search(
    { texts: [text], collections: [COLLECTION], mode, limit: DEPTH, threshold: 0 },
    never,
  )

/** Indexes each passage as a separate document and asks every question in every mode. */
export async function placeAnswers(
  { passages, questions }: ReturnType<typeof readCorpus>,
  environment: Record<string, string>,
): Promise<Record<Mode, Placed[]>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-retrieval-'))
  const opened = await openRetrieval(folder, environment)
  const { retrieval } = opened
  try {
    await indexPassages(retrieval, passages)
    const place = async (question: LabelledQuestion, mode: Mode): Promise<Placed> => {
      const found = await askFor(retrieval, question.text, mode)
      const index = found.findIndex(({ document_id }) => question.passages.includes(document_id))
      return { question, place: index === -1 ? null : index + 1 }
    }
    const placed: Record<Mode, Placed[]> = { vector: [], words: [], hybrid: [] }
    for (const mode of MODES)
      for (const question of questions) placed[mode].push(await place(question, mode))
    return placed
  } finally {
    await opened.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Computes the quality of all questions. */
export function summarise(placed: readonly Placed[]): Quality {
  const sum = (value: (place: number) => number) =>
    placed.reduce((total, { place }) => total + (place === null ? 0 : value(place)), 0)
  return {
    questions: placed.length,
    recallAt5: sum((place) => (place <= 5 ? 1 : 0)) / placed.length,
    meanReciprocalRank: sum((place) => 1 / place) / placed.length,
  }
}

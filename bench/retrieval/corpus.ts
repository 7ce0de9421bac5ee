import { readFileSync } from 'node:fs'
import path from 'node:path'

export const LANGUAGES = ['en', 'de', 'fr', 'es', 'ru', 'zh'] as const

/**
 * Relation of a question to the passage that answers it: the same words, a name or number, other
 * words, another language.
 */
export const KINDS = ['lexical', 'number', 'paraphrase', 'cross-language'] as const

export interface LabelledPassage {
  readonly id: string
  readonly text: string
}

export interface LabelledQuestion {
  /** Language of the question; that of the passage only differs for the kind `cross-language`. */
  readonly language: (typeof LANGUAGES)[number]
  readonly kind: (typeof KINDS)[number]
  readonly text: string
  /**
   * Set for questions that were written after the built-in engine's lexicon, about other subjects.
   */
  readonly fresh?: true
  /** Ids of the passages that answer it. */
  readonly passages: readonly string[]
}

const readLines = <Row>(name: string): Row[] =>
  readFileSync(path.join(import.meta.dirname, 'corpus', `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)

/** Reads the passages and questions of all languages. */
export function readCorpus(): { passages: LabelledPassage[]; questions: LabelledQuestion[] } {
  return {
    passages: LANGUAGES.flatMap((language) => readLines<LabelledPassage>(`${language}.passages`)),
    questions: LANGUAGES.flatMap((language) =>
      readLines<LabelledQuestion>(`${language}.questions`),
    ),
  }
}

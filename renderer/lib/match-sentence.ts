import i18next from 'i18next'

/** An English sentence with placeholders, as a pattern, and its associated text. */
interface Template {
  readonly pattern: RegExp
  readonly own: string
}

/** Texts associated with English sentences; `{{name}}` in a sentence stands for a value. */
export type Sentences = Readonly<Record<string, string>>

export const VALUE = /\{\{(\w+)\}\}/g
const hasValues = (sentence: string): boolean => sentence.search(VALUE) !== -1
const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

function toTemplate([english, own]: [string, string]): Template {
  const pattern = english
    .split(VALUE)
    .map((part, index) => (index % 2 === 0 ? escapePattern(part) : `(?<${part}>.+?)`))
    .join('')
  return { pattern: new RegExp(`^${pattern}$`, 's'), own }
}

const lengthOfWords = ([english]: [string, string]): number => english.replace(VALUE, '').length

const templates = new WeakMap<Sentences, readonly Template[]>()

/** Returns the sentences with placeholders, the most specific first. */
function templatesOf(sentences: Sentences): readonly Template[] {
  const known = templates.get(sentences)
  if (known) return known
  const made = Object.entries(sentences)
    .filter(([english]) => hasValues(english))
    .toSorted((left, right) => lengthOfWords(right) - lengthOfWords(left))
    .map(toTemplate)
  templates.set(sentences, made)
  return made
}

/** Maximum length of a matched message; longer ones contain third-party text. */
const LONGEST_MATCHED = 1000

/** Isolates left-to-right values so that they keep their order within a right-to-left sentence. */
const isolate = (value: string): string =>
  i18next.dir() === 'rtl' ? `\u2068${value}\u2069` : value

export interface MatchedSentence {
  readonly own: string
  readonly values: Readonly<Record<string, string>>
}

/**
 * Returns the text associated with an English sentence of the gateway, and its values; null for an
 * unknown sentence.
 */
export function matchSentence(sentences: Sentences, said: string): MatchedSentence | null {
  if (Object.hasOwn(sentences, said)) return { own: sentences[said] ?? said, values: {} }
  if (said.length > LONGEST_MATCHED) return null
  for (const { pattern, own } of templatesOf(sentences)) {
    const values = pattern.exec(said)?.groups
    if (values)
      return {
        own,
        values: Object.fromEntries(
          Object.entries(values).map(([name, value]) => [name, isolate(value)]),
        ),
      }
  }
  return null
}

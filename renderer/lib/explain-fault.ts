import i18next from 'i18next'
import { matchSentence, type Sentences, VALUE } from './match-sentence.ts'

/** What the gateway refuses a call with: a sentence in English, and a word for machines. */
interface Fault {
  readonly detail: string
  readonly code?: string | null | undefined
  /** Seconds after which to try again. */
  readonly wait?: number | null
}

/** The gateway's sentences in one language: by code and, more exactly, by the English sentence. */
interface Said {
  readonly codes: Readonly<Record<string, string>>
  readonly sentences: Sentences
}

function sayBySentence(sentences: Sentences, detail: string): string | null {
  const found = matchSentence(sentences, detail)
  return found && found.own.replace(VALUE, (place, name: string) => found.values[name] ?? place)
}

/** Sentences that were shown as they came; bounded, as they may carry anything. */
const inEnglish = new Set<string>()
const MOST_KEPT = 200

/** Notes that a sentence is shown in English. */
export function keepEnglish(sentence: string): string {
  if (inEnglish.size >= MOST_KEPT) inEnglish.clear()
  inEnglish.add(sentence)
  return sentence
}

function sayByCode(codes: Said['codes'], code: string, wait: number | null): string | null {
  if (wait !== null && Object.hasOwn(codes, `${code}_wait_other`))
    return i18next.t(`errors.codes.${code}_wait` as never, { count: wait }) as string
  return Object.hasOwn(codes, code) ? (codes[code] ?? null) : null
}

/**
 * Why a call failed, in the language of the interface. What has no translation is shown in English,
 * as what a provider or a plugin said may be.
 */
export function explainFault({ detail, code, wait = null }: Fault): string {
  const { language } = i18next
  const bundle = i18next.getResourceBundle(language, 'translation') as { errors?: Said }
  const { errors } = bundle
  if (!errors) return language === 'en' ? detail : keepEnglish(detail)
  return (
    sayBySentence(errors.sentences, detail) ??
    ((code && sayByCode(errors.codes, code, wait)) || keepEnglish(detail))
  )
}

/** For the `lang` of a place that shows a sentence of the gateway. */
export const languageOfSentence = (sentence: string | null): 'en' | undefined =>
  sentence !== null && inEnglish.has(sentence) ? 'en' : undefined

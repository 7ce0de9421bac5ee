import i18next from 'i18next'

/** What the gateway refuses a call with: a sentence in English, and a word for machines. */
interface Fault {
  readonly detail: string
  readonly code?: string | null | undefined
  /** Seconds after which to try again. */
  readonly wait?: number | null
}

/** The gateway's sentences in one language: by code and, more exactly, by the English sentence. */
interface Sentences {
  readonly codes: Readonly<Record<string, string>>
  readonly sentences: Readonly<Record<string, string>>
}

/** Sentences that were shown as they came; bounded, as they may carry anything. */
const inEnglish = new Set<string>()
const MOST_KEPT = 200

function keepEnglish(sentence: string): string {
  if (inEnglish.size >= MOST_KEPT) inEnglish.clear()
  inEnglish.add(sentence)
  return sentence
}

function sayByCode(codes: Sentences['codes'], code: string, wait: number | null): string | null {
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
  const bundle = i18next.getResourceBundle(language, 'translation') as { errors?: Sentences }
  const { errors } = bundle
  if (!errors) return language === 'en' ? detail : keepEnglish(detail)
  if (Object.hasOwn(errors.sentences, detail)) return errors.sentences[detail] ?? detail
  return (code && sayByCode(errors.codes, code, wait)) || keepEnglish(detail)
}

/** For the `lang` of a place that shows a sentence of the gateway. */
export const languageOfSentence = (sentence: string | null): 'en' | undefined =>
  sentence !== null && inEnglish.has(sentence) ? 'en' : undefined

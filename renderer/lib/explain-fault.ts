import i18next from 'i18next'

/** What the gateway refuses a call with: a sentence in English, and a word for machines. */
interface Fault {
  readonly detail: string
  readonly code?: string | null | undefined
  /** Seconds after which to try again. */
  readonly wait?: number | null
}

/**
 * The gateway's sentences in one language: by code and, more exactly, by the English sentence, whose
 * `{{name}}` stands for a value of the case at hand.
 */
interface Sentences {
  readonly codes: Readonly<Record<string, string>>
  readonly sentences: Readonly<Record<string, string>>
}

/** An English sentence with values in it, as a pattern, and the own sentence they go into. */
interface Template {
  readonly pattern: RegExp
  readonly own: string
}

const VALUE = /\{\{(\w+)\}\}/g
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

const templates = new WeakMap<Sentences['sentences'], readonly Template[]>()

/** The sentences with values in them, those that say most first. */
function templatesOf(sentences: Sentences['sentences']): readonly Template[] {
  const known = templates.get(sentences)
  if (known) return known
  const made = Object.entries(sentences)
    .filter(([english]) => hasValues(english))
    .toSorted((left, right) => lengthOfWords(right) - lengthOfWords(left))
    .map(toTemplate)
  templates.set(sentences, made)
  return made
}

/** Longer ones carry what somebody else said at length. */
const LONGEST_MATCHED = 1000

/** Values read from left to right stay in their order within a sentence from right to left. */
const isolate = (value: string): string =>
  i18next.dir() === 'rtl' ? `\u2068${value}\u2069` : value

function sayByTemplate(sentences: Sentences['sentences'], detail: string): string | null {
  if (detail.length > LONGEST_MATCHED) return null
  for (const { pattern, own } of templatesOf(sentences)) {
    const values = pattern.exec(detail)?.groups
    if (values) return own.replace(VALUE, (place, name: string) => isolate(values[name] ?? place))
  }
  return null
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
  return (
    sayByTemplate(errors.sentences, detail) ??
    ((code && sayByCode(errors.codes, code, wait)) || keepEnglish(detail))
  )
}

/** For the `lang` of a place that shows a sentence of the gateway. */
export const languageOfSentence = (sentence: string | null): 'en' | undefined =>
  sentence !== null && inEnglish.has(sentence) ? 'en' : undefined

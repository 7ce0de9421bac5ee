import i18next from 'i18next'
import { matchSentence, type Sentences, VALUE } from './match-sentence.ts'

/** Error of a call refused by the gateway: an English message and a machine-readable code. */
interface Fault {
  readonly detail: string
  readonly code?: string | null
  /** Seconds to wait before a retry. */
  readonly wait?: number | null
}

/**
 * The gateway's messages in one language: by code and, more specifically, by the English message.
 */
interface Said {
  readonly codes: Readonly<Record<string, string>>
  readonly sentences: Sentences
  /** Steps of answers. */
  readonly statuses: Sentences
}

/** Undefined in English, in which the gateway writes its messages. */
function messagesOf(language: string): Said | undefined {
  const bundle = i18next.getResourceBundle(language, 'translation') as { errors?: Said }
  return bundle.errors
}

function sayBySentence(sentences: Sentences, detail: string): string | null {
  const found = matchSentence(sentences, detail)
  return found && found.own.replace(VALUE, (place, name: string) => found.values[name] ?? place)
}

/** Messages shown untranslated; bounded, as their content is arbitrary. */
const inEnglish = new Set<string>()
const MOST_KEPT = 200

/** Records that a message is shown in English. */
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
 * Returns the reason a call failed in the language of the UI. Messages without a translation, such
 * as those of a provider or plugin, are shown in English.
 */
export function explainFault({ detail, code, wait = null }: Fault): string {
  const { language } = i18next
  const errors = messagesOf(language)
  if (!errors) return language === 'en' ? detail : keepEnglish(detail)
  return (
    sayBySentence(errors.sentences, detail) ??
    ((code && sayByCode(errors.codes, code, wait)) || keepEnglish(detail))
  )
}

/**
 * Returns a step of an answer in the language of the UI, and the reason in it too. Steps of plugins
 * are shown as they wrote them.
 */
export function explainStatus(description: string): string {
  const messages = messagesOf(i18next.language)
  const found = messages && matchSentence(messages.statuses, description)
  if (!found) return description
  return found.own.replace(VALUE, (place, name: string) => {
    const value = found.values[name] ?? place
    return name === 'reason' ? explainFault({ detail: value }) : value
  })
}

/** Returns the `lang` attribute of an element that shows a gateway message. */
export const languageOfSentence = (sentence: string | null): 'en' | undefined =>
  sentence !== null && inEnglish.has(sentence) ? 'en' : undefined

import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { keepEnglish, languageOfSentence } from '../../../lib/explain-fault.ts'
import { translate } from '../../../lib/i18n.ts'
import { matchSentence } from '../../../lib/match-sentence.ts'
import doctor from '../../../locales/en/doctor.json' with { type: 'json' }

const KEYS = Object.fromEntries(
  Object.entries(doctor.sentences).map(([key, english]) => [english, key]),
)

/**
 * Translates a finding of the connection check, which the API returns in English, to the language
 * of the UI.
 */
export function FindingSentence({ text }: { text: string }) {
  // Re-renders when the language changes.
  useTranslation()
  const found = matchSentence(KEYS, text)
  const sentence = found
    ? translate(`doctor.sentences.${found.own}` as 'doctor.sentences.answers', found.values)
    : i18next.language === 'en'
      ? text
      : keepEnglish(text)
  return <bdi lang={languageOfSentence(sentence)}>{sentence}</bdi>
}

import { Globe } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import {
  guessLanguage,
  isPseudo,
  LANGUAGE_NAMES,
  LANGUAGES,
  toLanguage,
  type Language,
} from '../../lib/languages.ts'
import { Select, SelectBox } from '../../ui/controls/select.tsx'
import { changePreferences, type PreferencesStore } from './preferences-store.ts'

/** List value for no chosen language. */
const AUTOMATIC = ''

const nameOf = (language: Language): string =>
  isPseudo(language) ? language : LANGUAGE_NAMES[language]

/**
 * Returns value, options and change handler of a language list, each language under its own name.
 */
function useLanguageList(store: PreferencesStore) {
  const { t } = useTranslation()
  const { language, gatewayLanguage } = useStore(store)
  // A pseudo-language stays in the list while it is active, so that translators can return to it.
  const offered = language !== null && isPseudo(language) ? [...LANGUAGES, language] : LANGUAGES
  return {
    value: language ?? AUTOMATIC,
    onChange: (chosen: string) => changePreferences(store, { language: toLanguage(chosen) }),
    options: [
      {
        value: AUTOMATIC,
        label: t('settings.appearance.languageAuto', {
          name: nameOf(guessLanguage(gatewayLanguage)),
        }),
        // The label is in the language itself.
        isExempt: true,
      },
      ...offered.map((each) => ({
        value: each,
        label: nameOf(each),
        lang: each,
        isExempt: true,
      })),
    ],
  }
}

/** Language setting of the UI. */
export function LanguageChoice({ store }: { store: PreferencesStore }) {
  const { t } = useTranslation()
  return <Select label={t('settings.appearance.language')} {...useLanguageList(store)} />
}

/** The same in a corner, identified by its icon alone, for users who cannot read the label. */
export function LanguageBox({ store }: { store: PreferencesStore }) {
  const { t } = useTranslation()
  return (
    <span className="flex max-w-full min-w-0 items-center gap-2 text-muted">
      <Globe className="size-4 shrink-0" />
      <SelectBox
        aria-label={t('settings.appearance.language')}
        isNarrow
        {...useLanguageList(store)}
      />
    </span>
  )
}

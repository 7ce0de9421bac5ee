import { languages } from 'virtual:languages'

/** Each language as its speakers write it. */
export const LANGUAGE_NAMES = Object.freeze({
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  'pt-BR': 'Português (Brasil)',
  ja: '日本語',
  'zh-CN': '简体中文',
  ar: 'العربية',
})

/**
 * Made of English for checking: with accents and longer, to find text that is no string and rooms
 * that are too small, and from right to left.
 */
export const PSEUDO_LANGUAGES = Object.freeze(['en-XA', 'ar-XB'] as const)
export type PseudoLanguage = (typeof PSEUDO_LANGUAGES)[number]

type RealLanguage = keyof typeof LANGUAGE_NAMES
export type Language = RealLanguage | PseudoLanguage

/** What a person can choose: English and every language whose folder is complete. */
export const LANGUAGES: readonly RealLanguage[] = (
  Object.keys(LANGUAGE_NAMES) as RealLanguage[]
).filter((language) => language === 'en' || Object.hasOwn(languages, language))

export const isPseudo = (language: string): language is PseudoLanguage =>
  PSEUDO_LANGUAGES.includes(language as PseudoLanguage)

/** A language that was stored once; null for none, or for one that is not there. */
export const toLanguage = (stored: unknown): Language | null =>
  [...LANGUAGES, ...PSEUDO_LANGUAGES].find((language) => language === stored) ?? null

function readLocale(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag).maximize()
  } catch {
    // Whoever runs a gateway may have written anything.
    return null
  }
}

/**
 * The first of the wanted languages that there is: German of Austria is German, and Portuguese of
 * Portugal that of Brazil, but who reads traditional Chinese is not given simplified.
 */
export function matchLanguage<Name extends string>(
  wanted: readonly string[],
  offered: readonly Name[],
): Name | null {
  for (const tag of wanted) {
    const locale = readLocale(tag)
    const found = offered.find((each) => {
      const other = readLocale(each)
      return locale && other?.language === locale.language && other.script === locale.script
    })
    if (found) return found
  }
  return null
}

const STORAGE_KEY = 'language'

/** What was chosen in this browser last; it holds until the person's own settings arrive. */
export const readLocalLanguage = (): Language | null =>
  toLanguage(localStorage.getItem(STORAGE_KEY))

export function keepLocalLanguage(language: Language | null): void {
  if (language === null) localStorage.removeItem(STORAGE_KEY)
  else localStorage.setItem(STORAGE_KEY, language)
}

/** The language for somebody who has not chosen one; `preferred` comes before the browser's. */
export const guessLanguage = (preferred = ''): Language =>
  matchLanguage([preferred, ...navigator.languages].filter(Boolean), LANGUAGES) ?? 'en'

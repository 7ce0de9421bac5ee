import { languages } from 'virtual:languages'

/** Names of the languages in the language itself. */
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
 * Pseudo-languages generated from English for testing: accented and longer, to find hard-coded text
 * and too small elements, and right-to-left.
 */
export const PSEUDO_LANGUAGES = Object.freeze(['en-XA', 'ar-XB'] as const)
export type PseudoLanguage = (typeof PSEUDO_LANGUAGES)[number]

type RealLanguage = keyof typeof LANGUAGE_NAMES
export type Language = RealLanguage | PseudoLanguage

/** Selectable languages: English and every language whose folder is complete. */
export const LANGUAGES: readonly RealLanguage[] = (
  Object.keys(LANGUAGE_NAMES) as RealLanguage[]
).filter((language) => language === 'en' || Object.hasOwn(languages, language))

export const isPseudo = (language: string): language is PseudoLanguage =>
  PSEUDO_LANGUAGES.includes(language as PseudoLanguage)

/** Returns a stored language; null if there is none or it is not available. */
export const toLanguage = (stored: unknown): Language | null =>
  [...LANGUAGES, ...PSEUDO_LANGUAGES].find((language) => language === stored) ?? null

function readLocale(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag).maximize()
  } catch {
    // The administrator may have configured any value.
    return null
  }
}

/**
 * Returns the first available of the wanted languages: Austrian German maps to German and European
 * Portuguese to Brazilian, but traditional Chinese does not map to simplified.
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

/** Returns the language last chosen in this browser; used until the user's settings are loaded. */
export const readLocalLanguage = (): Language | null =>
  toLanguage(localStorage.getItem(STORAGE_KEY))

export function keepLocalLanguage(language: Language | null): void {
  if (language === null) localStorage.removeItem(STORAGE_KEY)
  else localStorage.setItem(STORAGE_KEY, language)
}

/**
 * Returns the default language if none is chosen; `preferred` takes precedence over the browser's.
 */
export const guessLanguage = (preferred = ''): Language =>
  matchLanguage([preferred, ...navigator.languages].filter(Boolean), LANGUAGES) ?? 'en'

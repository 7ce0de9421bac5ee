/** Made of the folders in `locales/` by `vite-languages.ts`. */
declare module 'virtual:languages' {
  /** The strings of one language, by the names the English ones have. */
  export interface FetchedLanguage {
    /** What every page may show. */
    readonly first: Readonly<Record<string, object>>
    /** Long lists, which come with what shows them. */
    readonly later: Readonly<Record<string, () => Promise<{ readonly default: object }>>>
  }
  /** How to fetch each language but English. */
  export const languages: Readonly<Record<string, () => Promise<FetchedLanguage>>>
}

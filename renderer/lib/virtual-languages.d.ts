/** Generated from the folders in `locales/` by `vite-languages.ts`. */
declare module 'virtual:languages' {
  /** The strings of one language, under the keys of the English ones. */
  export interface FetchedLanguage {
    /** Strings needed by every page. */
    readonly first: Readonly<Record<string, object>>
    /** Long lists, loaded with the features that show them. */
    readonly later: Readonly<Record<string, () => Promise<{ readonly default: object }>>>
  }
  /** Loaders of each language except English. */
  export const languages: Readonly<Record<string, () => Promise<FetchedLanguage>>>
}

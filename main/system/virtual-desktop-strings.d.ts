/** Generated from the folders in `renderer/locales/` by `renderer/vite-languages.ts`. */
declare module 'virtual:desktop-strings' {
  /** Strings in groups, at any depth. */
  export interface StringTree {
    readonly [key: string]: string | StringTree
  }
  /** Strings by language: `desktop` is the app's own part, `commands` is shared with the UI. */
  export const strings: Readonly<
    Record<string, { readonly desktop: StringTree; readonly commands: StringTree }>
  >
}

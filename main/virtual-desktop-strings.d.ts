/** Made of the folders in `renderer/locales/` by `renderer/vite-languages.ts`. */
declare module 'virtual:desktop-strings' {
  /** Strings in groups, at any depth. */
  export interface StringTree {
    readonly [key: string]: string | StringTree
  }
  /** By language: `desktop` is the app's own part, `commands` is shared with the interface. */
  export const strings: Readonly<
    Record<string, { readonly desktop: StringTree; readonly commands: StringTree }>
  >
}

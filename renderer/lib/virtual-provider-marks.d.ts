/** Generated from the package of marks by `vite-provider-marks.ts`. */
declare module 'virtual:provider-marks' {
  /** Paths in a box of 24 by 24 with their opacity, by the name of the mark. */
  export const marks: Readonly<Record<string, readonly (readonly [string, number])[]>>
}

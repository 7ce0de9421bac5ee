import { BOTH_SCHEMES } from './find-faults.ts'

/** Three views of a page: light and dark in a wide window, and on a phone. */
export const VIEWS = [
  { name: 'a wide window', width: 1280, schemes: BOTH_SCHEMES },
  { name: 'a phone', width: 360, schemes: ['light'] },
] as const

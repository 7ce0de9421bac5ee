import { BOTH_SCHEMES } from './find-faults.ts'

/**
 * What a page looks like to three people: in daylight and at night on a wide window, and on a
 * phone.
 */
export const VIEWS = [
  { name: 'a wide window', width: 1280, schemes: BOTH_SCHEMES },
  { name: 'a phone', width: 360, schemes: ['light'] },
] as const

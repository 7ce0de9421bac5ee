import { countJsonValues } from '../lib/json/count-json-values.ts'

/** Limits of one frame of a client, which is parsed in one go; a socket may send many a second. */
const BOUNDS = { values: 20_000, levels: 100 }

export const TOO_RICH = `A frame may have ${BOUNDS.values} values and ${BOUNDS.levels} levels. These limits are fixed.`

/** Each value and each level takes a character at least. */
export const isTooRich = (frame: Buffer | string): boolean =>
  frame.length > BOUNDS.levels && countJsonValues(frame, BOUNDS) === null

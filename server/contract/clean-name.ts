/** Control characters and line breaks, which would begin a new line beside the name. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu

/**
 * Marks that reorder the text around a name, and characters without width. The joiners and the
 * marks of single directions stay, because names of some scripts and emoji need them.
 */
const HIDDEN = /[\u00ad\u180e\u200b\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/gu

/** Spaces, and letters that look like none. */
const BLANK = /^[\p{C}\p{Z}\u115f\u1160\u2800\u3164\uffa0]*$/u

/** Returns a name as other users are shown it; empty if nothing of it is visible. */
export function cleanName(given: string): string {
  const name = given.replace(BREAKS, ' ').replace(HIDDEN, '').trim()
  return BLANK.test(name) ? '' : name
}

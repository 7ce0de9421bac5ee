const LONGEST_NAME = 255

/**
 * Control characters, and direction marks that reverse the display and so hide the extension of a
 * name.
 */
const INVISIBLE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

/**
 * Returns a name as it is stored: for display only, never used for a path. Leading folders are
 * removed.
 */
export function cleanFilename(given: string): string {
  const name = given.toWellFormed().normalize('NFC').replace(INVISIBLE, '')
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1).trim()
  if (/^\.*$/.test(base)) return 'file'
  if (base.length <= LONGEST_NAME) return base
  const extension = /\.[^.\s]{1,20}$/.exec(base)?.[0] ?? ''
  return base.slice(0, LONGEST_NAME - extension.length).toWellFormed() + extension
}

/**
 * Returns a name in its form for comparison: without case and without different encodings of the
 * same character.
 */
export const toNameKey = (filename: string): string => filename.normalize('NFKC').toLowerCase()

const LONGEST_NAME = 255

/**
 * Control characters, and marks that turn the direction of reading around and so hide what a name
 * ends with.
 */
const INVISIBLE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

/** A name as it is kept: data for people, used for no path. Folders in front of it are left out. */
export function cleanFilename(given: string): string {
  const name = given.toWellFormed().normalize('NFC').replace(INVISIBLE, '')
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1).trim()
  if (/^\.*$/.test(base)) return 'file'
  if (base.length <= LONGEST_NAME) return base
  const extension = /\.[^.\s]{1,20}$/.exec(base)?.[0] ?? ''
  return base.slice(0, LONGEST_NAME - extension.length).toWellFormed() + extension
}

/** As names are compared: without case and without different spellings of the same character. */
export const toNameKey = (filename: string): string => filename.normalize('NFKC').toLowerCase()

import { hash } from 'node:crypto'

/** Maximum length of a common name in a certificate (X.520); strict clients refuse longer ones. */
const MOST_CHARACTERS = 64
const HASH_CHARACTERS = 8

/**
 * Returns a text as the common name of a certificate. A long one is cut and ends with a part of its
 * hash, so that two long texts stay different; the alternative names hold the whole.
 */
export function toCommonName(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text
  const beginning = text.slice(0, MOST_CHARACTERS - HASH_CHARACTERS - 1)
  return `${beginning}-${hash('sha256', text, 'hex').slice(0, HASH_CHARACTERS)}`
}

/** Returns the common name of the authority of a computer. */
export const authorityName = (computer: string): string =>
  toCommonName(`Chat Gateway on ${computer}`)

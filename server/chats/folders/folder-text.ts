import { checkPlainJson } from '../../lib/json/check-plain-json.ts'
import { tooLarge } from '../../lib/errors.ts'

/** Maximum number of folders of a user. */
export const MOST_FOLDERS = 10_000
/** Maximum number of characters of a name. */
export const LONGEST_NAME = 200
/** Maximum nesting depth of folders. */
export const DEEPEST = 100

/**
 * Maximum sizes: instructions and files are read with one folder at a time, the rest with the list
 * of all.
 */
const LARGEST = { data: 1024 * 1024, meta: 16 * 1024 } as const

/** Returns the JSON to store; throws 400 or 413 if it is invalid. */
export function toFolderText(
  part: keyof typeof LARGEST,
  fields: Readonly<Record<string, unknown>> | null | undefined,
): string | null {
  if (!fields) return null
  checkPlainJson(fields, 'The folder')
  const text = JSON.stringify(fields)
  if (Buffer.byteLength(text) > LARGEST[part])
    throw tooLarge(`The "${part}" of a folder may have ${LARGEST[part]} bytes.`)
  return text
}

import { checkPlainJson } from '../../lib/check-plain-json.ts'
import { tooLarge } from '../../lib/errors.ts'

/** Folders somebody can have. */
export const MOST_FOLDERS = 10_000
/** Characters of a name. */
export const LONGEST_NAME = 200
/** Levels of folders in folders. */
export const DEEPEST = 100

/** Instructions and files are read with one folder at a time, the rest with the list of all. */
const LARGEST = { data: 1024 * 1024, meta: 16 * 1024 } as const

/** The JSON to store; 400 or 413 for what cannot be. */
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

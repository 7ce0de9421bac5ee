import { strToU8, zipSync } from 'fflate'

/** Returns an archive of JSON files by their names. */
export const zip = (files: Record<string, unknown>): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, value]) => [name, strToU8(JSON.stringify(value))]),
    ),
  )

import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ExtractedDocument } from './document.ts'
import type { Extraction } from './index.ts'

/** A document that is not stored. */
export interface DocumentBytes {
  readonly bytes: Buffer
  readonly filename: string
  readonly contentType: string | null
}

/**
 * Creates a reader for documents sent with a request; the bytes are stored in `temporaryFolder`
 * only while they are read. Throws the same errors as `Extraction.extract`.
 */
export function createBytesReader(extraction: Extraction, temporaryFolder: string) {
  return async (
    { bytes, filename, contentType }: DocumentBytes,
    signal: AbortSignal,
  ): Promise<ExtractedDocument> => {
    await mkdir(temporaryFolder, { recursive: true, mode: 0o700 })
    const stored = path.join(temporaryFolder, randomUUID())
    try {
      await writeFile(stored, bytes, { mode: 0o600 })
      return await extraction.extract({ path: stored, filename, contentType }, { signal })
    } finally {
      await rm(stored, { force: true })
    }
  }
}

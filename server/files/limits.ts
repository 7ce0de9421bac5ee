import { badRequest, tooLarge } from '../lib/errors.ts'
import type { FilesSettings } from './files-settings.ts'
import { fileEndpoints } from '#contract/files.ts'
import { extensionOf } from './storing/content-type.ts'

const MEBIBYTE = 1024 * 1024
const HARD_LIMIT = fileEndpoints.upload.upload.limit

const orNull = (value: number): number | null => (value > 0 ? value : null)

/** Uses the units that users know from their file manager. */
const toWords = (bytes: number): string =>
  bytes >= MEBIBYTE ? `${Math.round((bytes / MEBIBYTE) * 10) / 10} MB` : `${bytes} bytes`

/** Limits that administrators set for storage. Zero and an empty list mean no limit. */
export class Limits {
  readonly #settings: FilesSettings

  constructor(settings: FilesSettings) {
    this.#settings = settings
  }

  /** Null if the administrator set no limit. */
  maxBytes(): number | null {
    return this.#bytes('RAG_FILE_MAX_SIZE')
  }

  maxCount(): number | null {
    return orNull(this.#settings.get('RAG_FILE_MAX_COUNT'))
  }

  quotaBytes(): number | null {
    return this.#bytes('FILE_QUOTA_PER_USER')
  }

  extensions(): string[] {
    return this.#settings
      .get('RAG_ALLOWED_FILE_EXTENSIONS')
      .map((each) => each.replace(/^\./, '').toLowerCase())
  }

  /** Returns the maximum size of an upload and the error message for larger ones. */
  largest(): { bytes: number; sentence: string } {
    const bytes = Math.min(this.maxBytes() ?? HARD_LIMIT, HARD_LIMIT)
    return {
      bytes,
      sentence: `The file is larger than ${toWords(bytes)}, the most this gateway takes.`,
    }
  }

  /** Throws 400 for names whose extension is not allowed. */
  checkName(filename: string): void {
    const allowed = this.extensions()
    if (allowed.length === 0 || allowed.includes(extensionOf(filename))) return
    throw badRequest(
      `This type of file is not allowed here. Allowed types: ${allowed.map((each) => `.${each}`).join(', ')}.`,
      {
        code: 'extension_not_allowed',
      },
    )
  }

  /** Throws 413 if the user would exceed their quota. */
  checkQuota(usedBytes: number, addedBytes: number): void {
    const quota = this.quotaBytes()
    if (quota === null || usedBytes + addedBytes <= quota) return
    throw tooLarge(
      `Your files may take ${toWords(quota)} together and take ${toWords(usedBytes)} now. Delete some first.`,
      {
        code: 'quota_reached',
      },
    )
  }

  #bytes(key: 'RAG_FILE_MAX_SIZE' | 'FILE_QUOTA_PER_USER'): number | null {
    const megabytes = orNull(this.#settings.get(key))
    return megabytes === null ? null : Math.round(megabytes * MEBIBYTE)
  }
}

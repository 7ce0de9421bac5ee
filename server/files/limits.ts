import { badRequest, tooLarge } from '../lib/errors.ts'
import type { FilesSettings } from './files-settings.ts'
import { fileEndpoints } from '#contract/files.ts'
import { extensionOf } from './content-type.ts'

const MEBIBYTE = 1024 * 1024
const HARD_LIMIT = fileEndpoints.upload.upload.limit

/** What administrators allow people to store. Zero and an empty list mean any. */
export interface Limits {
  /** Null without a limit of the administrator. */
  maxBytes(): number | null
  maxCount(): number | null
  quotaBytes(): number | null
  extensions(): string[]
  /** The most one upload may have, and what is said to larger ones. */
  largest(): { bytes: number; sentence: string }
  /** 400 for names whose extension is not allowed. */
  checkName(filename: string): void
  /** 413 when the person would have more than their share. */
  checkQuota(usedBytes: number, addedBytes: number): void
}

const orNull = (value: number): number | null => (value > 0 ? value : null)

/** In the unit people know from their file manager. */
const toWords = (bytes: number): string =>
  bytes >= MEBIBYTE ? `${Math.round((bytes / MEBIBYTE) * 10) / 10} MB` : `${bytes} bytes`

export function createLimits(settings: FilesSettings): Limits {
  const megabytes = (key: 'RAG_FILE_MAX_SIZE' | 'FILE_QUOTA_PER_USER'): number | null => {
    const value = orNull(settings.get(key))
    return value === null ? null : Math.round(value * MEBIBYTE)
  }
  const maxBytes = () => megabytes('RAG_FILE_MAX_SIZE')
  const quotaBytes = () => megabytes('FILE_QUOTA_PER_USER')
  const extensions = (): string[] =>
    settings.get('RAG_ALLOWED_FILE_EXTENSIONS').map((each) => each.replace(/^\./, '').toLowerCase())

  return {
    maxBytes,
    quotaBytes,
    extensions,
    maxCount: () => orNull(settings.get('RAG_FILE_MAX_COUNT')),
    largest() {
      const bytes = Math.min(maxBytes() ?? HARD_LIMIT, HARD_LIMIT)
      return {
        bytes,
        sentence: `The file is larger than ${toWords(bytes)}, the most this gateway takes.`,
      }
    },
    checkName(filename) {
      const allowed = extensions()
      if (allowed.length === 0 || allowed.includes(extensionOf(filename))) return
      throw badRequest(
        `This type of file is not allowed here. Allowed types: ${allowed.map((each) => `.${each}`).join(', ')}.`,
        {
          code: 'extension_not_allowed',
        },
      )
    },
    checkQuota(usedBytes, addedBytes) {
      const quota = quotaBytes()
      if (quota === null || usedBytes + addedBytes <= quota) return
      throw tooLarge(
        `Your files may take ${toWords(quota)} together and take ${toWords(usedBytes)} now. Delete some first.`,
        {
          code: 'quota_reached',
        },
      )
    },
  }
}

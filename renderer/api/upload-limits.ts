import type { FileUsage } from '#contract/files.ts'
import { formatBytes } from '../lib/format-size.ts'
import { translate } from '../lib/i18n.ts'
import { call, endpoints } from './client.ts'
import { formatNames } from '../lib/format-list.ts'

/** Upload limits of the gateway; they rarely change, so the result is cached for a while. */
export type UploadLimits = Pick<FileUsage, 'max_file_bytes' | 'max_count' | 'allowed_extensions'>

const FRESH = 60_000

let known: { readonly limits: Promise<UploadLimits | null>; readonly at: number } | null = null

/**
 * Resolves with the upload limits; null when they cannot be fetched, in which case the gateway
 * itself must reject.
 */
export function askLimits(): Promise<UploadLimits | null> {
  if (known && Date.now() - known.at < FRESH) return known.limits
  const limits = call(endpoints.files.usage, {}).catch(() => null)
  known = { limits, at: Date.now() }
  // After a failure the next upload asks again.
  void limits.then((answer) => {
    if (answer === null) known = null
  })
  return limits
}

/** Clears the cached limits, for instance after another user signed in. */
export const forgetLimits = (): void => {
  known = null
}

/** Returns the reason a file will be rejected, as an error message; null if it is acceptable. */
export function refusalOf(
  { name, size }: Pick<File, 'name' | 'size'>,
  limits: UploadLimits,
): string | null {
  const { max_file_bytes: most, allowed_extensions: allowed } = limits
  if (most !== null && size > most)
    return translate('documents.tooLarge', { size: formatBytes(size), limit: formatBytes(most) })
  const dot = name.lastIndexOf('.')
  const extension = dot === -1 ? '' : name.slice(dot + 1).toLowerCase()
  if (allowed.length > 0 && !allowed.includes(extension))
    return translate('documents.notAllowed', { kinds: formatNames(allowed) })
  return null
}

import { say } from '../system/language.ts'

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'start.full',
  EDQUOT: 'start.full',
  EACCES: 'start.closed',
  EPERM: 'start.closed',
  EROFS: 'start.closed',
  ENOTDIR: 'start.noFolder',
  EEXIST: 'start.noFolder',
  ENOENT: 'start.gone',
}

/** Says what to do about an error that ended the start; `folder` is that of the profile. */
export function describeStartFailure(error: unknown, folder: string): string {
  if (!(error instanceof Error)) return String(error)
  const reason = 'code' in error ? REASONS[String(error.code)] : undefined
  if (reason === undefined) return error.message
  const isGone = reason === 'start.gone' && 'path' in error
  return say(reason, { folder: isGone ? String(error.path) : folder })
}

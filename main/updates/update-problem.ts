import type { UpdateProblem } from '#desktop'

/** Error that prevented checking for, downloading or installing an update. */
export class UpdateError extends Error {
  override readonly name = 'UpdateError'
  readonly problem: UpdateProblem

  constructor(problem: UpdateProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.problem = problem
  }
}

const BY_CODE: readonly (readonly [RegExp, UpdateProblem])[] = [
  [/ERR_CHECKSUM_MISMATCH/, 'checksum'],
  [/ERR_UPDATER_INVALID_SIGNATURE|Code signature|ERR_SIGNATURE/, 'signature'],
  [/ERR_BLOCKED_BY_CLIENT/, 'elsewhere'],
  [/ENOSPC|EDQUOT/, 'space'],
  [/EACCES|EPERM|EROFS|ETXTBSY/, 'not-written'],
  [
    /ERR_UPDATER_(INVALID_UPDATE_INFO|INVALID_VERSION|NO_FILES_PROVIDED|NO_CHECKSUM|CHANNEL_FILE_NOT_FOUND|LATEST_VERSION_NOT_FOUND|ASSET_NOT_FOUND)|HTTP_ERROR_/,
    'unreadable',
  ],
  [/ERR_CONTENT_LENGTH_MISMATCH|ERR_INCOMPLETE|aborted/i, 'cut'],
  [/net::|ECONN|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|Redirect/, 'unreachable'],
]

/** Converts an error of the library or the system to a problem shown to the user. */
export function toUpdateProblem(error: unknown): UpdateProblem {
  if (error instanceof UpdateError) return error.problem
  if (!(error instanceof Error)) return 'other'
  const code = 'code' in error ? String(error.code) : ''
  const text = `${code} ${error.message}`
  return BY_CODE.find(([pattern]) => pattern.test(text))?.[1] ?? 'other'
}

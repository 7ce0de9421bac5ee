import { isRecord } from '../../../lib/is-record.ts'
import { ServiceError, unavailable } from '../../../lib/errors.ts'
import { toProxyError } from '../../../lib/outgoing/proxy-error.ts'

/** Reason why a bucket request failed. */
export type BucketProblem =
  | 'away'
  | 'no-bucket'
  | 'wrong-key'
  | 'refused'
  | 'wrong-region'
  | 'no-such-object'
  | 'other-bytes'

const RETRY_SECONDS = '10'

const SENTENCES: Readonly<Record<BucketProblem, string>> = {
  away: 'The store that keeps the files cannot be reached at the moment. Try again in a few seconds.',
  'no-bucket':
    'The store that keeps the files has no such bucket. An administrator has to see to it.',
  'wrong-key':
    'The store that keeps the files does not accept the key of the gateway. An administrator has to see to it.',
  refused:
    'The store that keeps the files does not let the gateway in. An administrator has to see to it.',
  'wrong-region':
    'The store that keeps the files wants another region. An administrator has to see to it.',
  'no-such-object':
    'The bytes of this file are missing in the store. Delete the file and upload it again.',
  'other-bytes':
    'The store that keeps the files answered with other bytes than were asked for. Try again in a few seconds.',
}

const BY_CODE: Readonly<Record<string, BucketProblem>> = {
  NoSuchKey: 'no-such-object',
  NotFound: 'no-such-object',
  NoSuchBucket: 'no-bucket',
  InvalidAccessKeyId: 'wrong-key',
  SignatureDoesNotMatch: 'wrong-key',
  InvalidToken: 'wrong-key',
  ExpiredToken: 'wrong-key',
  CredentialsProviderError: 'wrong-key',
  PermanentRedirect: 'wrong-region',
  AuthorizationHeaderMalformed: 'wrong-region',
  IllegalLocationConstraintException: 'wrong-region',
}

const BY_STATUS: Readonly<Record<number, BucketProblem>> = {
  301: 'wrong-region',
  307: 'wrong-region',
  401: 'wrong-key',
  403: 'refused',
  404: 'no-such-object',
}

/** A fault of a bucket: the problem, and a code for its administrators. */
export class BucketFault extends Error {
  override readonly name = 'BucketFault'
  readonly problem: BucketProblem
  /** For example `ECONNREFUSED` or `AccessDenied`; never a URL or a key. */
  readonly code: string

  constructor(problem: BucketProblem, code: string) {
    super(`${problem} (${code})`)
    this.problem = problem
    this.code = code
  }
}

const codeOf = (error: Error): string => {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return /^[\w.-]{1,60}$/.test(code) ? code : 'unknown'
}

function statusOf(error: Error): number {
  const metadata: unknown = '$metadata' in error ? error.$metadata : null
  const status = isRecord(metadata) ? metadata['httpStatusCode'] : null
  return typeof status === 'number' ? status : 0
}

/**
 * Converts an error of the SDK, without its contents: requests, whose headers are signed with the
 * key, and responses. Errors of the gateway itself are returned unchanged.
 */
export function toFault(thrown: unknown): BucketFault | ServiceError {
  if (thrown instanceof ServiceError || thrown instanceof BucketFault) return thrown
  const error = toProxyError(thrown) ?? (thrown instanceof Error ? thrown : new Error('unknown'))
  const code = codeOf(error)
  return new BucketFault(BY_CODE[error.name] ?? BY_STATUS[statusOf(error)] ?? 'away', code)
}

/** Returns the error for callers: 404 for deleted bytes, else 503 until it is fixed. */
export function toServiceError(thrown: unknown): ServiceError {
  const fault = toFault(thrown)
  if (fault instanceof ServiceError) return fault
  const sentence = SENTENCES[fault.problem]
  if (fault.problem === 'no-such-object')
    return new ServiceError(404, sentence, { code: 'not_found', cause: fault })
  return unavailable(sentence, {
    code: 'store_unavailable',
    headers: { 'Retry-After': RETRY_SECONDS },
    cause: fault,
  })
}

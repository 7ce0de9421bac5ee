import { badRequest, conflict, type ServiceError } from '../lib/errors.ts'

/**
 * Kinds of errors the protocol has a keyword for (RFC 7644, 3.12). The keyword is the code of the
 * error.
 */
type FaultKind =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'

/** Returns a 400 error with the keyword that clients check. */
export const fault = (kind: FaultKind, message: string): ServiceError =>
  badRequest(message, { code: kind })

/**
 * Returns a 409 error for a name, email address or other unique value of another account or group.
 */
export const taken = (message: string): ServiceError => conflict(message, { code: 'uniqueness' })

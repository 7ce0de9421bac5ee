import { badRequest, conflict, type ServiceError } from '../lib/errors.ts'

/**
 * Kinds of faults the protocol has a word for (RFC 7644, 3.12). The word is the code of the error.
 */
type FaultKind =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'

/** 400 with the word clients look for. */
export const fault = (kind: FaultKind, message: string): ServiceError =>
  badRequest(message, { code: kind })

/** 409 for a name or address of another account. */
export const taken = (message: string): ServiceError => conflict(message, { code: 'uniqueness' })

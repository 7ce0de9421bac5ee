import type { IncomingMessage } from 'node:http'
import type { Environment } from '../../config/env.ts'
import { forbidden, notFound } from '../../lib/errors.ts'
import { findPrograms, type FoundProgram } from './programs/index.ts'

/** Environment of the search for other programs, and the check of its callers. */
export interface OtherPrograms {
  readonly environment: Environment
  /** Returns true if the user of a request is at this computer. */
  readonly isLocal: (request: IncomingMessage) => boolean
}

/**
 * Files of this computer are never listed for callers on another one, regardless of the account.
 */
export function searchPrograms(
  { environment, isLocal }: OtherPrograms,
  request: IncomingMessage,
): FoundProgram[] {
  if (!isLocal(request))
    throw forbidden(
      'Other programs are only looked for from the computer the gateway runs on. Upload an export instead.',
    )
  return findPrograms(environment)
}

/** Returns one of the currently found programs; an id cannot name another place. */
export function requireProgram(
  programs: OtherPrograms,
  request: IncomingMessage,
  id: string,
): FoundProgram {
  const found = searchPrograms(programs, request).find((program) => program.id === id)
  if (!found) throw notFound('The data of this program is no longer there. Search again.')
  return found
}

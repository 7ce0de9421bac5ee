import type { IncomingMessage } from 'node:http'
import type { Environment } from '../../config/env.ts'
import { forbidden, notFound } from '../../lib/errors.ts'
import { findPrograms, type FoundProgram } from './programs/index.ts'

/** Where other programs may be looked for, and by whom. */
export interface OtherPrograms {
  readonly environment: Environment
  /** Whether the person of a request sits at this computer. */
  readonly isLocal: (request: IncomingMessage) => boolean
}

/** Nobody lists what lies on this computer from another one, whoever they are. */
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

/** One of the programs that are found now; an id names no other place. */
export function requireProgram(
  programs: OtherPrograms,
  request: IncomingMessage,
  id: string,
): FoundProgram {
  const found = searchPrograms(programs, request).find((program) => program.id === id)
  if (!found) throw notFound('The data of this program is no longer there. Search again.')
  return found
}

import type { CompletedRequest } from '#contract/completions.ts'
import type { CallOrigin } from '../lib/call-origin.ts'
import type { RunningContact } from './request-context.ts'

/** Contact of an action button, and the headers of the request that triggered it. */
export type ActionContact = RunningContact & Pick<CallOrigin, 'headers'>

/**
 * Runs an action button of a plugin on a message; throws 404 for an id that is not available to
 * this caller.
 */
export type RunAction = (
  id: string,
  body: CompletedRequest,
  contact: ActionContact,
) => Promise<unknown>

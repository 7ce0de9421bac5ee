import type { CompletedRequest } from '#contract/completions.ts'
import type { CallOrigin } from '../lib/call-origin.ts'
import type { RunningContact } from './request-context.ts'

/** Whom a button speaks to, and the headers it was pressed with. */
export type ActionContact = RunningContact & Pick<CallOrigin, 'headers'>

/** A button of a plugin under a message; 404 for an id that is none for this caller. */
export type RunAction = (
  id: string,
  body: CompletedRequest,
  contact: ActionContact,
) => Promise<Record<string, unknown>>

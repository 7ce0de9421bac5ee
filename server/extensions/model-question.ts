import type { CallOrigin } from '../lib/call-origin.ts'

/** A question of a plugin to a model. */
export interface ModelQuestion {
  /** Whom it is asked for, and the answer it is part of. */
  readonly origin: CallOrigin
  /** A chat-completions request, as plugin code made it. */
  readonly body: unknown
  /** Leaves out the instructions and parameters a workspace model brings along. */
  readonly isBare: boolean
}

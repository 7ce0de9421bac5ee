import type { CallOrigin } from '../lib/call-origin.ts'

/** Question of a plugin to a model. */
export interface ModelQuestion {
  /** User on whose behalf it is asked, and the answer it is part of. */
  readonly origin: CallOrigin
  /** Chat-completions request, as the plugin code built it. */
  readonly body: unknown
  /** True to leave out the instructions and parameters of a workspace model. */
  readonly isBare: boolean
}

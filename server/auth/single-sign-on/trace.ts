import type { OAuthStep } from '#contract/oauth.ts'

/** Records the results of the steps of a sign-in, for administrators who try one. */
export interface Trace {
  pass(step: OAuthStep, detail?: string): void
  skip(step: OAuthStep, detail: string): void
}

/** Used for sign-ins that are not recorded. */
export const NO_TRACE: Trace = Object.freeze({ pass: () => undefined, skip: () => undefined })

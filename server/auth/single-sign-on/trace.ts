import type { OAuthStep } from '#contract/oauth.ts'

/** Notes how the steps of a sign-in went, for administrators who try one. */
export interface Trace {
  pass(step: OAuthStep, detail?: string): void
  skip(step: OAuthStep, detail: string): void
}

/** Of sign-ins that nobody watches. */
export const NO_TRACE: Trace = Object.freeze({ pass: () => undefined, skip: () => undefined })

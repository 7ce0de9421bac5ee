import type { OAuthStep } from '#contract/oauth.ts'

export interface FailureFacts {
  /** What exactly happened, for administrators. */
  readonly detail?: string
  /** What an administrator can do about it. */
  readonly remedy?: string
  /** The settings to look at. */
  readonly settings?: readonly string[]
  readonly cause?: unknown
}

/**
 * A sign-in with a provider that ends. `message` is a sentence for the person; what is for
 * administrators stands beside it.
 */
export class SignInFailure extends Error {
  override readonly name = 'SignInFailure'
  readonly step: OAuthStep
  readonly detail: string
  readonly remedy: string | null
  readonly settings: readonly string[]

  constructor(
    step: OAuthStep,
    sentence: string,
    { detail, remedy, settings = [], cause }: FailureFacts = {},
  ) {
    super(sentence, { cause })
    this.step = step
    this.detail = detail ?? sentence
    this.remedy = remedy ?? null
    this.settings = settings
  }
}

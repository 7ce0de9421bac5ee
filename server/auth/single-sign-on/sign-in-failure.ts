import { forbidden, ServiceError } from '../../lib/errors.ts'
import type { OAuthStep } from '#contract/oauth.ts'

export interface FailureFacts {
  /** Exact description of the fault, for administrators. */
  readonly detail?: string
  /** Advice for an administrator. */
  readonly remedy?: string
  /** Settings to check. */
  readonly settings?: readonly string[]
  readonly cause?: unknown
}

/**
 * A failed sign-in with a provider. `message` is a sentence for the user; the other fields are for
 * administrators.
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

/** Returns the error for a client that exchanges a token. */
export function toServiceError({ step, message, cause }: SignInFailure): ServiceError {
  if (step === 'account') return forbidden(message, { code: 'sign_in_refused' })
  return new ServiceError(step === 'discovery' ? 502 : 400, message, {
    code: 'invalid_token',
    cause,
  })
}

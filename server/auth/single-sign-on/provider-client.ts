import type { Claims } from './read-claims.ts'
import type { Identity } from './store.ts'
import type { Trace } from './trace.ts'

/** Tokens issued by a provider. Stored encrypted and never shown. */
export interface ProviderTokens {
  readonly access_token: string
  readonly token_type: string
  readonly id_token: string | null
  readonly refresh_token: string | null
  readonly scope: string | null
  /** Unix seconds; null if the provider did not specify it. */
  readonly expires_at: number | null
}

/** State of a started sign-in that must match when it returns. */
export interface Flow {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly redirectUri: string
}

/** Parameters the browser returns with. */
export type Returned = Readonly<
  Partial<Record<'code' | 'state' | 'iss' | 'error' | 'error_description', string | undefined>>
>

/** A user identified by a provider. */
export interface Person {
  readonly identity: Identity
  readonly claims: Claims
}

/** A signed-in user with the tokens of the sign-in. */
export interface SignedIn extends Person {
  readonly tokens: ProviderTokens
  /** The provider's id of the user's session; null if it sends none. */
  readonly sid: string | null
}

export interface FinishOptions {
  readonly trace: Trace
  /** Claims the sign-in requires. */
  readonly needed: readonly string[]
  /** Optional claims. */
  readonly wanted: readonly string[]
}

/** Client of one provider. Every error is a `SignInFailure`. */
export interface ProviderClient {
  /** Returns the issuer of identities here. */
  issuer(): Promise<string>
  /** Returns the page of the provider to redirect the browser to. */
  begin(flow: Flow, trace: Trace): Promise<URL>
  /** Completes the sign-in when the browser returns. */
  finish(flow: Flow, returned: Returned, options: FinishOptions): Promise<SignedIn>
  renew(tokens: ProviderTokens): Promise<ProviderTokens>
  /** Identifies the user of an access token issued for this gateway. */
  identify(accessToken: string): Promise<Person>
  /**
   * Returns the URL where the browser also signs out of the provider; null if the provider has no
   * such page.
   */
  signOutAddress(idToken: string | null, returnTo: string): Promise<string | null>
  /** Returns the content of a token the provider signed for this gateway, whatever its purpose. */
  verifyToken(
    token: string,
  ): Promise<{ readonly payload: Claims; readonly type: string | undefined }>
}

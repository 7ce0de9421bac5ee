import type { Claims } from './read-claims.ts'
import type { Identity } from './store.ts'
import type { Trace } from './trace.ts'

/** What a provider hands out. Kept encrypted, and shown to nobody. */
export interface ProviderTokens {
  readonly access_token: string
  readonly token_type: string
  readonly id_token: string | null
  readonly refresh_token: string | null
  readonly scope: string | null
  /** Unix seconds; null when the provider did not say. */
  readonly expires_at: number | null
}

/** What a sign-in that was begun has to bring back. */
export interface Flow {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly redirectUri: string
}

/** What comes back with the browser. */
export type Returned = Readonly<
  Partial<Record<'code' | 'state' | 'iss' | 'error' | 'error_description', string | undefined>>
>

/** Somebody a provider vouches for. */
export interface Person {
  readonly identity: Identity
  readonly claims: Claims
}

/** Somebody who signed in, with the tokens of it. */
export interface SignedIn extends Person {
  readonly tokens: ProviderTokens
  /** What the provider calls its session of the person; null when it does not say. */
  readonly sid: string | null
}

export interface FinishOptions {
  readonly trace: Trace
  /** Claims without which the sign-in means nothing. */
  readonly needed: readonly string[]
  /** Claims it can do without. */
  readonly wanted: readonly string[]
}

/** What is spoken with one provider. Everything that goes wrong is a `SignInFailure`. */
export interface ProviderClient {
  /** Who vouches for people here. */
  issuer(): Promise<string>
  /** The page of the provider to send the browser to. */
  begin(flow: Flow, trace: Trace): Promise<URL>
  /** Takes the browser back. */
  finish(flow: Flow, returned: Returned, options: FinishOptions): Promise<SignedIn>
  renew(tokens: ProviderTokens): Promise<ProviderTokens>
  /** Whom an access token stands for that was made for this gateway. */
  identify(accessToken: string): Promise<Person>
  /**
   * Where the browser is led to be signed out there too; null when the provider has no such page.
   */
  signOutAddress(idToken: string | null, returnTo: string): Promise<string | null>
  /** The content of a token the provider signed for this gateway, whatever it is for. */
  verifyToken(
    token: string,
  ): Promise<{ readonly payload: Claims; readonly type: string | undefined }>
}

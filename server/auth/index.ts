import type { IncomingMessage } from 'node:http'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import type { Caller, Route } from '../lib/http.ts'

/** A caller whose credential may end while a connection lives on, such as a socket. */
export interface LiveCaller {
  readonly caller: Caller
  /** Whether the credential would still be accepted now; cheap enough to ask on every frame. */
  isValid(): boolean
}

/** Sign-in, sessions, API keys and rate limits (decisions §3). */
export interface Auth {
  /** Order: Bearer, cookie, custom key header; the first credential present decides. Null when none was sent. */
  authenticate(request: IncomingMessage, endpoint: AnyEndpoint): Caller | null | Promise<Caller | null>
  /** For sockets: a session token or API key from the first frame; null when it is refused. */
  authenticateToken(token: string): LiveCaller | null | Promise<LiveCaller | null>
  /** For socket upgrades: the `Authorization` header, or the cookie when `allowCookie`; null when neither proves anybody. */
  authenticateUpgrade(request: IncomingMessage, options: { allowCookie: boolean }): LiveCaller | null | Promise<LiveCaller | null>
  /** A single-use code for the desktop window, valid 60 s; only the process channel may carry it. Creates the owner when there are no users. */
  createDesktopCode(): string
  /** Announces that a credential of a user was revoked, so that sockets can be checked at once. */
  onRevoked(listener: (userId: string) => void): void
  readonly routes: readonly Route[]
}

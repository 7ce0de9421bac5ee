import type { IncomingMessage } from 'node:http'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import type { Config } from '../config/config.ts'
import type { Caller, Route } from '../lib/http.ts'
import type { Logger } from '../lib/logger.ts'
import { createTouch } from '../lib/touch.ts'
import type { Settings } from '../settings/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Secrets } from '../storage/secrets.ts'
import type { Users } from '../users/index.ts'
import { createAccounts } from './accounts.ts'
import { createApiKeys } from './api-keys.ts'
import { createAuthenticate } from './authenticate.ts'
import { createDesktopCodes } from './desktop-codes.ts'
import { createKeyAllowList } from './endpoint-allow-list.ts'
import { createLiveCallers } from './live-callers.ts'
import { createOrigins } from './origins.ts'
import { createPeers } from './peers.ts'
import { createReadSession } from './read-session.ts'
import { createAuthRoutes } from './routes.ts'
import { createSessions } from './sessions.ts'
import { createSignInLimits } from './sign-in-limits.ts'
import { createApiKeyStore, createRevokedTokenStore, createThrottleStore } from './store.ts'
import { createThrottle } from './throttle.ts'

export { createRequirePermitted } from './require-permitted.ts'
export { createGuard, listeningAddresses, type Guard, type GuardDependencies } from './guard.ts'

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
  /** What somebody called a key of theirs; null when it is gone. */
  keyName(userId: string, keyId: string): string | null
  readonly routes: readonly Route[]
}

/** What the domain is built from. */
export interface AuthDependencies {
  readonly storage: Storage
  readonly settings: Settings
  readonly secrets: Secrets
  readonly users: Users
  readonly config: Config
  readonly log: Logger
}

/** Builds the domain on the tables of `0002-users`. */
export function createAuth({ storage, settings, secrets, users, config, log }: AuthDependencies): Auth {
  const listeners: ((userId: string) => void)[] = []
  const announceRevoked = (userId: string): void => listeners.forEach((listener) => listener(userId))
  users.onSessionsRevoked(announceRevoked)

  const keyStore = createApiKeyStore(storage)
  const throttle = createThrottle({ store: createThrottleStore(storage), log })
  const origins = createOrigins(settings)
  const peers = createPeers(settings)
  const proofs = {
    users,
    settings,
    sessions: createSessions({ secret: secrets.derive('jwt'), settings, revoked: createRevokedTokenStore(storage) }),
    apiKeys: createApiKeys({ store: keyStore, settings }),
    allowList: createKeyAllowList(settings),
    touchKey: createTouch({ log, write: keyStore.setLastUsed }),
  }
  const accounts = createAccounts({
    storage,
    settings,
    users,
    config,
    limits: createSignInLimits(throttle),
    codes: createDesktopCodes(),
  })
  const live = createLiveCallers(proofs)

  return {
    authenticate: createAuthenticate({ ...proofs, origins, peers, throttle }),
    authenticateToken: (token) => live.byToken(token),
    authenticateUpgrade: (request, options) => live.byHeaders(request, options),
    createDesktopCode: () => accounts.createDesktopCode(),
    onRevoked: (listener) => void listeners.push(listener),
    keyName: (userId, keyId) => proofs.apiKeys.list(userId).find(({ id }) => id === keyId)?.name ?? null,
    routes: createAuthRoutes({ ...proofs, accounts, peers, announceRevoked, readSession: createReadSession({ ...proofs, origins }) }),
  }
}

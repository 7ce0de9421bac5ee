import type { IncomingMessage } from 'node:http'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import type { Config } from '../config/config.ts'
import type { Groups } from '../groups/index.ts'
import type { Caller, Route } from '../lib/http.ts'
import { randomToken } from '../lib/ids.ts'
import type { Logger } from '../lib/logger.ts'
import type { Settings } from '../settings/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Secrets } from '../storage/secrets.ts'
import type { Users } from '../users/index.ts'
import { createAccounts } from './accounts.ts'
import { createApiKeyStore } from './api-key-store.ts'
import { createApiKeys } from './api-keys.ts'
import { createAuthenticate, type Proofs } from './authenticate.ts'
import { createCallTokens, type CallTokens } from './call-tokens.ts'
import { createAccountMaker } from './create-account.ts'
import { createDesktopCodes } from './desktop-codes.ts'
import { createKeyAllowList } from './endpoint-allow-list.ts'
import { createEntryRules } from './entry-rules.ts'
import { createKeyUses } from './key-uses.ts'
import { knowPeople } from './know-people.ts'
import { KnownPlaces } from './known-places.ts'
import { createLiveCallers, type UpgradeOptions } from './live-callers.ts'
import { checkOpenDoor, hasOpenDoor } from './open-door.ts'
import { createOrigins } from './origins.ts'
import { createPeers } from './peers.ts'
import { createReadSession } from './read-session.ts'
import { createAuthRoutes } from './routes.ts'
import { createSessionRecords } from './session-records.ts'
import { createSessions, type SessionClaims } from './sessions.ts'
import { createSetupCode } from './setup-code.ts'
import { createSingleSignOn, type SingleSignOnFace } from './single-sign-on/index.ts'
import { createRevocations, type Revocations } from './single-sign-on/revocations.ts'
import { SignInLimits } from './sign-in-limits.ts'
import {
  createKnownPlaceStore,
  createRevokedTokenStore,
  createSessionStore,
  createThrottleStore,
} from './store.ts'
import { createThrottle } from './throttle.ts'
import { createSessionViews } from './to-session.ts'
import { TrustedHeaders } from './trusted-headers.ts'

export { createRequirePermitted } from './require-permitted.ts'
export type { ProviderTokens } from './single-sign-on/index.ts'
export { createGuard, listeningAddresses, type Guard } from './guard.ts'

/** A caller whose credential may end while a connection lives on, such as a socket. */
export interface LiveCaller {
  readonly caller: Caller
  /** Whether the credential would still be accepted now; cheap enough to ask on every frame. */
  isValid(): boolean
}

/** Sign-in, sessions, API keys and rate limits (decisions §3). */
export interface Auth {
  /**
   * Order: Bearer, cookie, custom key header; the first credential present decides. Null when none
   * was sent.
   */
  authenticate(
    request: IncomingMessage,
    endpoint: AnyEndpoint,
  ): Caller | null | Promise<Caller | null>
  /**
   * For sockets: a session token or API key from the first frame after this upgrade; null when it
   * is refused.
   */
  authenticateToken(
    token: string,
    request: IncomingMessage,
  ): LiveCaller | null | Promise<LiveCaller | null>
  /**
   * For socket upgrades: the `Authorization` header, or the cookie when `allowCookie`; null when
   * neither proves anybody.
   */
  authenticateUpgrade(
    request: IncomingMessage,
    options: UpgradeOptions,
  ): LiveCaller | null | Promise<LiveCaller | null>
  /**
   * A single-use code for the desktop window, valid 60 s; only the process channel may carry it.
   * Creates the owner when there are no users.
   */
  createDesktopCode(): string
  /**
   * Makes the account of `WEBUI_ADMIN_EMAIL` when there is none at all; to be awaited before the
   * gateway serves.
   */
  createFirstAdmin(): Promise<void>
  /**
   * Opens what is kept outside of the database; to be awaited before the gateway serves. Throws a
   * `StartError`.
   */
  open(): Promise<void>
  close(): Promise<void>
  /** Sign-in with other providers. */
  readonly singleSignOn: Pick<SingleSignOnFace, 'forSignInPage' | 'tokensOf'>
  /**
   * What a new gateway that other machines reach asks of its first account; null once there is one.
   * Only the log may carry it.
   */
  setupCode(): string | null
  needsSetupCode(request: IncomingMessage): boolean
  /** The address limits are counted for: an IPv4 address or the /64 network of an IPv6 one. */
  limitSubject(request: IncomingMessage): string
  /**
   * Removes what proxies say of people from the headers of a request or upgrade, before anything
   * else reads them.
   */
  takeProxyHeaders(request: IncomingMessage): void
  /** Whether people are signed in by a proxy in front. */
  readonly isProxySignIn: boolean
  /**
   * Whether nobody has to sign in (`WEBUI_AUTH=false`): clients get a session with any credentials.
   */
  readonly isDoorOpen: boolean
  /** What programs of the same person find in `local-access.json`; new with every start. */
  readonly localToken: string
  /** A credential for code that works for somebody during one call. */
  readonly issueCallToken: CallTokens['issue']
  /** Whether the tokens of a key are held to a daily cap. */
  hasTokenCap(keyId: string): boolean
  /** Counts the tokens of an answer against the daily cap of a key. */
  countUsage(keyId: string, tokens: number): void
  /**
   * Whether the scope of the key a call was made with has a model in it; other callers have no
   * scope.
   */
  mayUseModel(caller: Pick<Caller, 'keyId'>, modelId: string): boolean
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
  readonly groups: Groups
  readonly config: Config
  readonly log: Logger
}

/** Builds the domain on the tables of `0002-users` and `0009-api-key-extras`. */
export function createAuth({
  storage,
  settings,
  secrets,
  users,
  groups,
  config,
  log,
}: AuthDependencies): Auth {
  const listeners: ((userId: string) => void)[] = []
  const announceRevoked = (userId: string): void =>
    listeners.forEach((listener) => listener(userId))
  users.onSessionsRevoked(announceRevoked)

  checkOpenDoor(config, settings)
  const throttle = createThrottle({ store: createThrottleStore(storage), log })
  const origins = createOrigins(settings)
  const plainPeers = createPeers(settings)
  const trustedHeaders = new TrustedHeaders({ config, settings, peers: plainPeers })
  const peers = knowPeople(plainPeers, trustedHeaders)
  const revocations = createRevocations({
    url: settings.string('REDIS_URL'),
    log,
    onRevoked: announceRevoked,
  })
  const proofs = createProofs(
    { storage, settings, secrets, users, groups, config, log },
    { peers, trustedHeaders, revocations, announceRevoked },
  )
  const setupCode = createSetupCode({ config, settings, users, peers })
  const localToken = randomToken()
  const limits = new SignInLimits({ throttle, settings })
  const places = new KnownPlaces({ store: createKnownPlaceStore(storage), peers })
  const codes = createDesktopCodes()
  const createAccount = createAccountMaker({ storage, settings, users })
  const accounts = createAccounts({
    ...proofs,
    createAccount,
    groups,
    config,
    log,
    limits,
    places,
    codes,
    setupCode,
    localToken,
  })
  const live = createLiveCallers(proofs)
  const views = createSessionViews({ users, groups, apiKeys: proofs.apiKeys })
  const entryRules = createEntryRules({ settings, users, config, setupCode })
  const requireMayBeFirst = (request: IncomingMessage): void =>
    entryRules.requireMayBeFirst(request)
  const given = {
    storage,
    secrets,
    groups,
    log,
    origins,
    throttle,
    revocations,
    places,
    views,
    announceRevoked,
    createAccount,
  }
  const singleSignOn = createSingleSignOn({ ...proofs, ...given, requireMayBeFirst })

  return {
    open: () => revocations.open(),
    close: async () => {
      await singleSignOn.close()
      await revocations.close()
    },
    singleSignOn,
    authenticate: createAuthenticate({ ...proofs, origins, throttle }),
    authenticateToken: (token, request) => live.byToken(token, request),
    authenticateUpgrade: (request, options) => live.byHeaders(request, options),
    createDesktopCode: () => accounts.createDesktopCode(),
    createFirstAdmin: () => accounts.createFirstAdmin(),
    setupCode: () => setupCode.current(),
    needsSetupCode: (request) => setupCode.isNeededFor(request),
    limitSubject: (request) => peers.limitSubject(request),
    takeProxyHeaders: (request) => trustedHeaders.take(request),
    isProxySignIn: trustedHeaders.isOn,
    isDoorOpen: !trustedHeaders.isOn && hasOpenDoor(config, settings),
    localToken,
    issueCallToken: (caller, endpointIds) => proofs.callTokens.issue(caller, endpointIds),
    hasTokenCap: (keyId) => proofs.apiKeys.hasTokenCap(keyId),
    countUsage: (keyId, tokens) => proofs.keyUses.addTokens(keyId, tokens),
    mayUseModel: (caller, modelId) => proofs.apiKeys.mayUseModel(caller, modelId),
    onRevoked: (listener) => void listeners.push(listener),
    keyName: (userId, keyId) =>
      [...proofs.apiKeys.list(userId)].find(({ id }) => id === keyId)?.name ?? null,
    routes: createAuthRoutes({
      ...proofs,
      accounts,
      places,
      views,
      singleSignOn,
      announceRevoked,
      readSession: createReadSession({ ...proofs, origins }),
    }),
  }
}

/** Everything that tells callers apart. */
function createProofs(
  { storage, settings, secrets, users, groups, log }: AuthDependencies,
  {
    peers,
    trustedHeaders,
    revocations,
    announceRevoked,
  }: Pick<Proofs, 'peers' | 'trustedHeaders'> & {
    readonly revocations: Revocations
    readonly announceRevoked: (userId: string) => void
  },
): Proofs {
  const keyStore = createApiKeyStore(storage)
  const keyUses = createKeyUses({ store: keyStore, log })
  const sessions = createSessions({
    secret: secrets.derive('jwt'),
    settings,
    revoked: createRevokedTokenStore(storage),
    revocations,
  })
  const apiKeys = createApiKeys({ store: keyStore, settings, groups, uses: keyUses })
  const allowList = createKeyAllowList(settings)
  const sessionRecords = createSessionRecords({
    store: createSessionStore(storage),
    sessions,
    users,
    peers,
    log,
  })
  const endSession = (claims: SessionClaims): void => {
    sessions.revoke(claims)
    sessionRecords.forget(claims.jti)
    announceRevoked(claims.id)
  }
  return {
    users,
    settings,
    sessions,
    sessionRecords,
    endSession,
    trustedHeaders,
    apiKeys,
    keyUses,
    allowList,
    peers,
    callTokens: createCallTokens({ users, apiKeys, allowList }),
  }
}

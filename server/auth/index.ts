import type { IncomingMessage } from 'node:http'
import type { Config } from '../config/config.ts'
import type { Groups } from '../groups/index.ts'
import type { Session } from '#contract/auths.ts'
import type { SharedDevice } from '#contract/sharing.ts'
import type { HttpCall, Route } from '../lib/http.ts'
import { randomToken } from '../lib/ids.ts'
import type { Logger } from '../lib/logger.ts'
import type { Live } from '../live/index.ts'
import type { AuthSettings } from './auth-settings.ts'
import type { Storage } from '../storage/index.ts'
import type { Secrets } from '../storage/secrets/secrets.ts'
import type { UserRecord, Users } from '../users/index.ts'
import { Accounts } from './sign-in/accounts.ts'
import { ApiKeyStore } from './keys/api-key-store.ts'
import { ApiKeys } from './keys/api-keys.ts'
import { Authenticator, type Proofs } from './authenticate.ts'
import { CallTokens } from './keys/call-tokens.ts'
import { createAccountMaker } from './sign-in/create-account.ts'
import { DesktopCodes } from './sign-in/desktop-codes.ts'
import { KeyAllowList } from './keys/endpoint-allow-list.ts'
import { EntryRules } from './sign-in/entry-rules.ts'
import { OwnKeyUses } from './keys/key-uses.ts'
import { SharedKeyUses } from './keys/shared-key-uses.ts'
import { KnownPlaces } from './sign-in/known-places.ts'
import { LiveCallers } from './sessions/live-callers.ts'
import { checkOpenDoor, hasOpenDoor } from './sign-in/open-door.ts'
import { SessionOpener } from './sessions/open-session.ts'
import { Origins } from './origin/origins.ts'
import { Peers } from './origin/peers.ts'
import { createReadSession } from './sessions/read-session.ts'
import { createAuthRoutes } from './routes.ts'
import { SessionRecords } from './sessions/session-records.ts'
import { Sessions, type SessionClaims } from './sessions/sessions.ts'
import { SetupCode } from './sign-in/setup-code.ts'
import { ProviderSignIn } from './single-sign-on/index.ts'
import { SingleSignOnStore } from './single-sign-on/store.ts'
import {
  createRevocations,
  createStoredRevocations,
  type Revocations,
} from './single-sign-on/revocations.ts'
import { SignInLimits } from './sign-in/sign-in-limits.ts'
import { KnownPlaceStore, RevokedTokenStore, SessionStore, ThrottleStore } from './store.ts'
import { Throttle } from './sign-in/throttle.ts'
import { SessionViews } from './sessions/to-session.ts'
import { TrustedHeaders } from './origin/trusted-headers.ts'
export type { LiveCaller } from './sessions/live-caller.ts'

export { createRequirePermitted } from './require-permitted.ts'
export type { ProviderTokens } from './single-sign-on/index.ts'
export { Guard, listeningAddresses } from './origin/guard.ts'

interface AuthDependencies {
  readonly storage: Storage
  readonly settings: AuthSettings
  readonly secrets: Secrets
  readonly users: Users
  readonly groups: Groups
  readonly config: Config
  /** Connection to the other gateways on the database; none when absent. */
  readonly live?: Live | null
  readonly log: Logger
}

/**
 * Sign-in, sessions, API keys and rate limits, on the tables of `0002-users` and
 * `0009-api-key-extras`.
 */
export class Auth {
  readonly #listeners: ((userId: string) => Promise<void>)[] = []
  readonly #anyListeners: (() => Promise<void>)[] = []
  readonly #revocations: Revocations
  readonly #throttle: Throttle
  readonly #revoked: RevokedTokenStore
  readonly #proofs: Proofs
  readonly #opener: SessionOpener
  readonly #readSession: ReturnType<typeof createReadSession>
  readonly #announceRevoked: (userId: string) => Promise<void>
  /** Identifies the caller of a request by its first credential. */
  readonly authenticator: Authenticator
  /** Identifies the callers of sockets. */
  readonly liveCallers: Pick<LiveCallers, 'byHeaders' | 'byToken'>
  /** Addresses of clients, as limits count them. */
  readonly peers: Pick<Peers, 'isLocal' | 'limitSubject'>
  /** Scopes and caps of API keys. */
  readonly apiKeys: ApiKeys
  /** Token that clients of the same OS user read from `local-access.json`; new on every start. */
  readonly localToken = randomToken()
  /** Headers by which a proxy in front identifies users. */
  readonly trustedHeaders: TrustedHeaders
  /** Code required for the first account of a gateway that other machines reach. */
  readonly setupCode: SetupCode
  readonly accounts: Accounts
  /** Credentials for code that acts for a user during one call. */
  readonly callTokens: CallTokens
  /** Sign-in with other providers. */
  readonly singleSignOn: ProviderSignIn
  /**
   * True if sign-in is disabled (`WEBUI_AUTH=false`): clients get a session with any credentials.
   */
  readonly isDoorOpen: boolean
  readonly routes: readonly Route[]

  constructor(deps: AuthDependencies) {
    const { storage, settings, secrets, users, groups, config, live, log } = deps
    const announceRevoked = (this.#announceRevoked = async (userId: string): Promise<void> => {
      for (const listener of this.#listeners) await listener(userId)
    })
    users.onSessionsRevoked(announceRevoked)

    checkOpenDoor(config, settings)
    const throttle = (this.#throttle = new Throttle(new ThrottleStore(storage), log, live))
    const origins = new Origins(settings)
    const peers = (this.peers = new Peers(settings))
    const trustedHeaders = (this.trustedHeaders = new TrustedHeaders({ config, settings, peers }))
    peers.setIdentities(trustedHeaders)
    const revocations = (this.#revocations = live
      ? createStoredRevocations((userId) => users.revokeSessions(userId))
      : createRevocations({ url: settings.get('REDIS_URL'), log, onRevoked: announceRevoked }))
    const proofs = (this.#proofs = createProofs({
      ...deps,
      peers,
      trustedHeaders,
      revocations,
      revoked: (this.#revoked = new RevokedTokenStore(storage)),
      announceRevoked,
    }))
    this.#followOthers(storage)
    this.callTokens = proofs.callTokens
    this.apiKeys = proofs.apiKeys
    const setupCode = (this.setupCode = new SetupCode({
      config,
      settings,
      users,
      peers,
      shared: live ? secrets.derive('setup-code') : null,
    }))
    const places = new KnownPlaces({ store: new KnownPlaceStore(storage), peers })
    const createAccount = createAccountMaker({ storage, settings, users })
    const accounts = (this.accounts = new Accounts({
      ...proofs,
      storage,
      identities: new SingleSignOnStore(storage),
      createAccount,
      groups,
      config,
      log,
      limits: new SignInLimits({ throttle, settings }),
      places,
      codes: new DesktopCodes(),
      setupCode,
      localToken: this.localToken,
    }))
    this.liveCallers = new LiveCallers(proofs)
    this.authenticator = new Authenticator({ ...proofs, origins, throttle })
    const views = new SessionViews(users, groups, proofs.apiKeys)
    const entryRules = new EntryRules({ settings, users, config, setupCode })
    const shared = { ...deps, ...proofs, places, views, announceRevoked }
    const singleSignOn = (this.singleSignOn = new ProviderSignIn({
      ...shared,
      origins,
      throttle,
      revocations,
      createAccount,
      requireMayBeFirst: (request) => entryRules.requireMayBeFirst(request),
    }))
    this.isDoorOpen = !trustedHeaders.isOn && hasOpenDoor(config, settings)
    const readSession = (this.#readSession = createReadSession({ ...proofs, origins }))
    const routeDeps = { ...shared, accounts, singleSignOn, readSession }
    this.#opener = new SessionOpener(routeDeps)
    this.routes = createAuthRoutes(routeDeps)
  }

  /** Opens a session for a user who was identified otherwise, for the given number of seconds. */
  openSession(call: HttpCall, user: UserRecord, seconds: number): Promise<Session> {
    return this.#opener.open(call, user, { seconds })
  }

  /** Returns the sessions opened through the listener for devices of the network. */
  async listShared(request: IncomingMessage): Promise<SharedDevice[]> {
    const current = (await this.#readSession(request))?.claims.jti ?? null
    return this.#proofs.sessionRecords.listShared(current)
  }

  /** Ends one of them immediately; returns the id of its account, throws 404 if there is none. */
  async endShared(id: string): Promise<string> {
    const userId = await this.#proofs.sessionRecords.endShared(id)
    await this.#announceRevoked(userId)
    return userId
  }

  /**
   * Loads the in-memory state and opens the resources outside of the database; must be awaited
   * before the gateway serves requests. Throws a `StartError`.
   */
  async open(): Promise<void> {
    await this.#throttle.load()
    await this.#revoked.load()
    await this.setupCode.open()
    await this.#revocations.open()
  }

  async close(): Promise<void> {
    await this.singleSignOn.close()
    await this.#proofs.keyUses.close()
    await this.#revocations.close()
  }

  /**
   * Adds a listener that is called when a credential of a user was revoked, so that sockets can be
   * checked immediately.
   */
  onRevoked(listener: (userId: string) => Promise<void>): void {
    this.#listeners.push(listener)
  }

  /** Adds a listener that is called when credentials of any user may have been revoked. */
  onAnyRevoked(listener: () => Promise<void>): void {
    this.#anyListeners.push(listener)
  }

  /**
   * Credentials revoked by other gateways on the database are revoked here too, including their
   * sockets.
   */
  #followOthers(storage: Storage): void {
    const { apiKeys, sessions } = this.#proofs
    storage.onOthersChange(['api_key'], async (owners) => {
      apiKeys.forgetRemembered()
      if (owners === null) await this.#announceAny()
      else for (const userId of owners) await this.#announceRevoked(userId)
    })
    storage.onOthersChange(['revoked_token'], async (ids) => {
      const owners = ids === null ? null : await this.#revoked.takeAdded(ids)
      if (owners === null) await this.#revoked.load()
      sessions.forgetSeen()
      if (owners === null) await this.#announceAny()
      else for (const userId of owners) await this.#announceRevoked(userId)
    })
  }

  async #announceAny(): Promise<void> {
    for (const listener of this.#anyListeners) await listener()
  }

  /** Returns the name of a key; null if it has been deleted. */
  async keyName(userId: string, keyId: string): Promise<string | null> {
    return (
      [...(await Array.fromAsync(this.#proofs.apiKeys.list(userId)))].find(({ id }) => id === keyId)
        ?.name ?? null
    )
  }
}

/** Creates the services that identify callers. */
function createProofs({
  storage,
  settings,
  secrets,
  users,
  groups,
  live,
  log,
  peers,
  trustedHeaders,
  revocations,
  revoked,
  announceRevoked,
}: AuthDependencies &
  Pick<Proofs, 'peers' | 'trustedHeaders'> & {
    readonly revocations: Revocations
    readonly revoked: RevokedTokenStore
    readonly announceRevoked: (userId: string) => Promise<void>
  }): Proofs {
  const keyStore = new ApiKeyStore(storage)
  const keyUses = live ? new SharedKeyUses(keyStore, log, live.self) : new OwnKeyUses(keyStore, log)
  const sessions = new Sessions({
    secret: secrets.derive('jwt'),
    settings,
    revoked,
    revocations,
  })
  const apiKeys = new ApiKeys({ storage, store: keyStore, settings, groups, uses: keyUses })
  const allowList = new KeyAllowList(settings)
  const sessionStore = new SessionStore(storage)
  const sessionRecords = new SessionRecords({
    storage,
    store: sessionStore,
    sessions,
    users,
    peers,
    log,
  })
  const endSession = async (claims: SessionClaims): Promise<void> => {
    await sessions.revoke(claims)
    await sessionStore.remove(claims.jti)
    await announceRevoked(claims.id)
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
    callTokens: new CallTokens({ users, apiKeys, allowList }),
  }
}

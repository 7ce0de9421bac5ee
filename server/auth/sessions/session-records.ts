import type { IncomingMessage } from 'node:http'
import type { SessionInfo } from '#contract/auths.ts'
import type { SharedDevice } from '#contract/sharing.ts'
import { notFound } from '../../lib/errors.ts'
import { nowSeconds } from '../../lib/ids.ts'
import type { Logger } from '../../lib/logger.ts'
import { createTouch } from '../../lib/timing/touch.ts'
import type { Storage } from '../../storage/index.ts'
import type { UserRecord, Users } from '../../users/index.ts'
import { isShared } from '../../lib/serving/shared-connection.ts'
import { refusal } from '../credentials.ts'
import type { Peers } from '../origin/peers.ts'
import type { IssuedSession, Sessions } from './sessions.ts'
import type { SessionStore, StoredSession } from '../store.ts'

const LONGEST_AGENT = 300

/**
 * Returns the displayed part of a header, without control characters, which could corrupt a
 * terminal.
 */
const agentOf = ({ headers }: IncomingMessage): string =>
  (headers['user-agent'] ?? '').replaceAll(/\p{Cc}/gu, '').slice(0, LONGEST_AGENT)

interface SessionRecordsDependencies {
  readonly storage: Storage
  readonly store: SessionStore
  readonly sessions: Sessions
  readonly users: Users
  readonly peers: Peers
  readonly log: Logger
}

const isCurrent = (user: UserRecord, { token_version, expires_at }: StoredSession): boolean =>
  token_version === user.tokenVersion && (expires_at === null || expires_at > nowSeconds())

/** Records of sessions: time, client and IP address of each sign-in. */
export class SessionRecords {
  readonly #deps: SessionRecordsDependencies
  readonly touch: (jti: string) => void

  constructor(deps: SessionRecordsDependencies) {
    const { store, users, log } = (this.#deps = deps)
    users.onSessionsRevoked(async (userId) =>
      store.removeOutdated(userId, (await users.get(userId))?.tokenVersion ?? 0),
    )
    this.touch = createTouch({ log, write: (times) => store.setLastUsed(times) })
  }

  /** Throws 401 if the account was deleted or changed while the session was created for it. */
  async add(
    user: UserRecord,
    { jti, issuedAt, expiresAt }: IssuedSession,
    request: IncomingMessage,
  ): Promise<void> {
    const { storage, store, users, peers } = this.#deps
    const times = { created_at: issuedAt, last_used_at: issuedAt, expires_at: expiresAt }
    const origin = { user_agent: agentOf(request), address: peers.addressOf(request) }
    const is_shared = isShared(request) ? 1 : 0
    const account = { user_id: user.id, token_version: user.tokenVersion }
    await store.purge()
    await storage.transaction(async () => {
      if ((await users.get(user.id))?.tokenVersion !== user.tokenVersion) throw refusal()
      await store.insert({ jti, ...account, ...times, ...origin, is_shared })
    })
  }

  async list(user: UserRecord, currentJti: string | null): Promise<SessionInfo[]> {
    return (await this.#listCurrent(user)).map(
      ({ jti, user_id: _owner, token_version: _version, is_shared: _shared, ...session }) => ({
        id: jti,
        ...session,
        current: jti === currentJti,
      }),
    )
  }

  /**
   * Returns the sessions of all accounts opened through the listener for devices of the network.
   */
  async listShared(currentJti: string | null): Promise<SharedDevice[]> {
    return (await this.#listShared()).map(({ user, session }) => ({
      id: session.jti,
      person: user.name,
      guest: user.isGuest,
      user_agent: session.user_agent,
      address: session.address,
      created_at: session.created_at,
      last_used_at: session.last_used_at,
      current: session.jti === currentJti,
    }))
  }

  /**
   * Ends one of them, of any account; returns the id of its account, throws 404 if there is none.
   */
  async endShared(jti: string): Promise<string> {
    const found = (await this.#listShared()).find(({ session }) => session.jti === jti)
    if (!found) throw notFound('There is no such device.')
    await this.#end(found.session)
    return found.user.id
  }

  /** Ends one session; throws 404 if the account has none with this id. */
  async end(user: UserRecord, jti: string): Promise<void> {
    const session = (await this.#listCurrent(user)).find((each) => each.jti === jti)
    if (!session) throw notFound('There is no such session.')
    await this.#end(session)
  }

  /** Ends all but one; returns the number of ended sessions. */
  async endOthers(user: UserRecord, currentJti: string | null): Promise<number> {
    const others = (await this.#listCurrent(user)).filter(({ jti }) => jti !== currentJti)
    for (const session of others) await this.#end(session)
    return others.length
  }

  async #listShared(): Promise<{ user: UserRecord; session: StoredSession }[]> {
    const found: { user: UserRecord; session: StoredSession }[] = []
    for (const session of await this.#deps.store.listShared()) {
      const user = await this.#deps.users.get(session.user_id)
      if (user && isCurrent(user, session)) found.push({ user, session })
    }
    return found
  }

  async #listCurrent(user: UserRecord): Promise<StoredSession[]> {
    return (await this.#deps.store.list(user.id)).filter((session) => isCurrent(user, session))
  }

  async #end({ jti, user_id, expires_at }: StoredSession): Promise<void> {
    await this.#deps.sessions.revoke({ jti, id: user_id, exp: expires_at })
    await this.#deps.store.remove(jti)
  }
}

import type { IncomingMessage } from 'node:http'
import type { SessionInfo } from '#contract/auths.ts'
import { notFound } from '../lib/errors.ts'
import { nowSeconds } from '../lib/ids.ts'
import type { Logger } from '../lib/logger.ts'
import { createTouch } from '../lib/touch.ts'
import type { UserRecord, Users } from '../users/index.ts'
import { refusal } from './credentials.ts'
import type { Peers } from './peers.ts'
import type { IssuedSession, Sessions } from './sessions.ts'
import type { SessionStore, StoredSession } from './store.ts'

const LONGEST_AGENT = 300

/**
 * The part of a header that is shown, without control characters, which could corrupt a terminal.
 */
const agentOf = ({ headers }: IncomingMessage): string =>
  (headers['user-agent'] ?? '').replaceAll(/\p{Cc}/gu, '').slice(0, LONGEST_AGENT)

interface SessionRecordsDependencies {
  readonly store: SessionStore
  readonly sessions: Sessions
  readonly users: Users
  readonly peers: Peers
  readonly log: Logger
}

const isCurrent = (user: UserRecord, { token_version, expires_at }: StoredSession): boolean =>
  token_version === user.tokenVersion && (expires_at === null || expires_at > nowSeconds())

/** Where people are signed in: when, by which program and from which address. */
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

  /** 401 when the account went or changed while the session was made for it. */
  async add(
    user: UserRecord,
    { jti, issuedAt, expiresAt }: IssuedSession,
    request: IncomingMessage,
  ): Promise<void> {
    const { store, users, peers } = this.#deps
    if ((await users.get(user.id))?.tokenVersion !== user.tokenVersion) throw refusal()
    const times = { created_at: issuedAt, last_used_at: issuedAt, expires_at: expiresAt }
    const origin = { user_agent: agentOf(request), address: peers.addressOf(request) }
    await store.purge()
    await store.insert({
      jti,
      user_id: user.id,
      token_version: user.tokenVersion,
      ...times,
      ...origin,
    })
  }

  async forget(jti: string): Promise<void> {
    await this.#deps.store.remove(jti)
  }

  async list(user: UserRecord, currentJti: string | null): Promise<SessionInfo[]> {
    return (await this.#listCurrent(user)).map(
      ({ jti, user_id: _owner, token_version: _version, ...session }) => ({
        id: jti,
        ...session,
        current: jti === currentJti,
      }),
    )
  }

  /** Ends one session; 404 when the account has none of this id. */
  async end(user: UserRecord, jti: string): Promise<void> {
    const session = (await this.#listCurrent(user)).find((each) => each.jti === jti)
    if (!session) throw notFound('There is no such session.')
    await this.#end(session)
  }

  /** Ends all but one; answers how many that were. */
  async endOthers(user: UserRecord, currentJti: string | null): Promise<number> {
    const others = (await this.#listCurrent(user)).filter(({ jti }) => jti !== currentJti)
    for (const session of others) await this.#end(session)
    return others.length
  }

  async #listCurrent(user: UserRecord): Promise<StoredSession[]> {
    return (await this.#deps.store.list(user.id)).filter((session) => isCurrent(user, session))
  }

  async #end({ jti, user_id, expires_at }: StoredSession): Promise<void> {
    await this.#deps.sessions.revoke({ jti, id: user_id, exp: expires_at })
    await this.#deps.store.remove(jti)
  }
}

import { hash } from 'node:crypto'
import { badRequest, type ServiceError } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import { nowSeconds } from '../../lib/ids.ts'
import type { ProviderClients } from './provider-clients.ts'
import type { Providers } from './providers.ts'
import type { Claims } from './read-claims.ts'
import type { Revocations } from './revocations.ts'
import type { OAuthSessionRow, SingleSignOnStore } from './store.ts'

export interface LogoutDependencies {
  readonly providers: Providers
  readonly clients: ProviderClients
  readonly store: SingleSignOnStore
  readonly revocations: Revocations
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const CLOCK_SECONDS = 60
const LONGEST_MEMORY_SECONDS = 24 * 60 * 60
const USED = new Error('It was used before.')

/**
 * Returns one response for every fault, so that a forger does not learn which check passed; only
 * the log has the cause.
 */
const refusal = (cause: unknown): ServiceError =>
  badRequest('This logout token is not one that is accepted here.', {
    code: 'invalid_request',
    cause,
    facts: {
      error: 'invalid_request',
      error_description: 'The logout token is not one that is accepted here.',
    },
  })

/**
 * Reads the claims a logout token must have besides those of every signed token (OpenID Connect
 * Back-Channel Logout 1.0, section 2.4).
 */
function readLogout(payload: Claims, type: string | undefined) {
  const { sub, sid, jti, exp, events } = payload
  const isTyped = type === undefined || /^(application\/)?logout\+jwt$/i.test(type)
  const isEvent = isRecord(events) && Object.hasOwn(events, EVENT) && isRecord(events[EVENT])
  // An ID token has a nonce and must not be accepted as a logout token.
  const isLogout = isTyped && isEvent && !Object.hasOwn(payload, 'nonce')
  const subject = typeof sub === 'string' && sub !== '' ? sub : null
  const session = typeof sid === 'string' && sid !== '' ? sid : null
  if (!isLogout) throw new Error('It is no logout token, as its type, events or nonce tell.')
  if (typeof exp !== 'number' || typeof jti !== 'string' || jti === '')
    throw new Error('The claim exp or jti is missing or no good.')
  if (
    (sub !== undefined && subject === null) ||
    (sid !== undefined && session === null) ||
    (subject === null && session === null)
  )
    throw new Error('The claim sub or sid is missing or no good.')
  return { subject, session, jti, exp }
}

/** Finds the provider that claims to have signed a token, by its issuer. */
async function findIssuer({ providers, clients }: LogoutDependencies, token: string) {
  const { decodeJwt } = await import('jose')
  const claimed = decodeJwt(token).iss
  for (const provider of providers.list()) {
    if (provider.discoveryUrl === null) continue
    const client = clients.of(provider)
    const issuer = await client.issuer().catch(() => null)
    if (issuer !== null && issuer === claimed) return { client, issuer }
  }
  throw new Error(
    `No provider that is set up calls itself ${JSON.stringify(claimed ?? null).slice(0, 300)}.`,
  )
}

/**
 * Ends the sessions that a provider reports as ended: with `sid` that one session, else all of the
 * user there. With a store, every session token of these users is refused from now on. Throws 400
 * for a token that is not genuine or was used before; returns the ids of the users.
 */
export async function acceptLogout(
  deps: LogoutDependencies,
  token: string,
): Promise<readonly string[]> {
  const { store, revocations } = deps
  const { issuer, said } = await verify(deps, token)
  const { subject, session, jti, exp } = said
  const id = hash('sha256', `${issuer} ${jti}`, 'base64url')
  if (await store.isSpent('logout', id)) throw refusal(USED)
  const rows: OAuthSessionRow[] =
    session === null
      ? await store.sessionsAt({ issuer, subject: subject! })
      : (await store.sessionsAt({ issuer, sid: session })).filter(
          (row) => subject === null || row.subject === subject,
        )
  const owner = subject === null ? null : await store.findUser({ issuer, subject })
  const people = new Set([
    ...rows.map(({ user_id }) => user_id),
    ...(owner === null ? [] : [owner]),
  ])
  for (const userId of people) await revocations.revoke(userId)
  if (
    !(await store.spend(
      'logout',
      id,
      Math.min(exp, nowSeconds() + LONGEST_MEMORY_SECONDS) + CLOCK_SECONDS,
    ))
  )
    throw refusal(USED)
  for (const row of rows) await store.removeSession(row.id)
  return [...people]
}

async function verify(deps: LogoutDependencies, token: string) {
  try {
    const { client, issuer } = await findIssuer(deps, token)
    const { payload, type } = await client.verifyToken(token)
    const said = readLogout(payload, type)
    // The token must be remembered until it would be refused for its age.
    if (said.exp > nowSeconds() + LONGEST_MEMORY_SECONDS)
      throw new Error('It is valid for longer than a day.')
    return { issuer, said }
  } catch (error) {
    throw refusal(error)
  }
}

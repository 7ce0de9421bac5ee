import type { AuthProvider, OAuthClientProvider } from '@modelcontextprotocol/client'
import { badRequest } from '../../lib/errors.ts'
import { nowSeconds } from '../../lib/ids.ts'
import { createSignInFetch, type SignInFetch } from '../../lib/sign-in-fetch.ts'
import type { ServerRecord } from '../server-record.ts'
import { createBegin } from './begin-sign-in.ts'
import { openClient, type ClientInfo } from './client-info.ts'
import {
  readTokens,
  signInFirst,
  toFailure,
  toProvider,
  type Flow,
  type KeptTokens,
  type SignInDependencies,
} from './provider.ts'
import { discover, register, type RegisterRequest } from './register.ts'

/** Where somebody returns to from the sign-in of a server. */
export interface Returned {
  readonly code: string
  readonly state: string
  readonly iss: string | undefined
}

/**
 * OAuth 2.1 sign-ins of people at tool servers (plugin contract §8.1). Tokens belong to one person
 * and one server.
 */
export interface SignIns {
  has(userId: string, serverId: string): boolean
  /** For connections of this person; 403 when there is no sign-in. */
  providerOf(record: ServerRecord, userId: string): AuthProvider
  /** The page to send the person to; 400 when the server has no sign-in that can be used. */
  begin(record: ServerRecord, userId: string, redirectUrl: string): Promise<URL>
  /** Takes the code they came back with; 400 for a state that is not theirs, used or old. */
  finish(record: ServerRecord, userId: string, returned: Returned): Promise<void>
  /** Who began a sign-in; null for a state nobody began. */
  starterOf(state: string): string | null
  register(request: RegisterRequest): Promise<string>
  /** What a server says about its sign-in. */
  discover(url: string): Promise<Record<string, unknown>>
  forget(userId: string, serverId: string): void
}

const FLOW_SECONDS = 600
const MOST_FLOWS = 1000

/** Hands out the token of a person, renewed before it ends and when it is refused. */
function toAuthProvider(
  dependencies: SignInDependencies,
  { record, userId }: { record: ServerRecord; userId: string },
  renew: () => Promise<void>,
): AuthProvider {
  const read = (): KeptTokens | null => readTokens(dependencies, userId, record.id)
  let used: string | undefined
  return {
    async token() {
      const kept = read()
      const isOld = kept?.renewAt != null && kept.renewAt < nowSeconds()
      if (isOld && kept.tokens.refresh_token !== undefined) await renew()
      used = read()?.tokens.access_token
      return used
    },
    async onUnauthorized() {
      const kept = read()
      if (!kept) throw signInFirst(record)
      // Another request has renewed it meanwhile.
      if (kept.tokens.access_token !== used) return
      if (kept.tokens.refresh_token === undefined) {
        dependencies.store.writeToken(userId, record.id, null)
        throw signInFirst(record)
      }
      await renew()
    },
  }
}

export function createSignIns(dependencies: SignInDependencies): SignIns {
  const { store, secrets, outgoing, guarded, onChanged } = dependencies
  const flows = new Map<string, Flow>()
  /** Renewals under way, so that a token is used for one only. */
  const renewing = new Map<string, Promise<void>>()

  const read = (userId: string, serverId: string): KeptTokens | null =>
    readTokens(dependencies, userId, serverId)

  const fetchFor = (record: Pick<ServerRecord, 'url'>, info: ClientInfo | null): SignInFetch =>
    createSignInFetch([record.url, ...(info?.serverUrl ? [info.serverUrl] : [])], {
      outgoing,
      guarded,
    })

  async function runAuth(
    record: ServerRecord,
    provider: OAuthClientProvider,
    more: { authorizationCode?: string; iss?: string } = {},
  ): Promise<void> {
    const { auth } = await import('@modelcontextprotocol/client')
    const info = openClient(secrets, record.id, record.secrets.client)
    try {
      await auth(provider, {
        serverUrl: record.url,
        fetchFn: fetchFor(record, info),
        ...(info?.scope && { scope: info.scope }),
        ...more,
      })
    } catch (error) {
      throw toFailure(error)
    }
  }

  function renew(record: ServerRecord, userId: string): Promise<void> {
    const key = JSON.stringify([userId, record.id])
    const known = renewing.get(key)
    if (known) return known
    const redirectUrl =
      openClient(secrets, record.id, record.secrets.client)?.redirectUrl ?? record.url
    const work = runAuth(
      record,
      toProvider(dependencies, { record, userId }, { redirectUrl, flow: null, state: '' }),
    ).finally(() => renewing.delete(key))
    renewing.set(key, work)
    return work
  }

  const start = createBegin({ ...dependencies, fetchFor, runAuth })

  return {
    has: (userId, serverId) => read(userId, serverId) !== null,
    providerOf(record, userId) {
      if (!read(userId, record.id)) throw signInFirst(record)
      return toAuthProvider(dependencies, { record, userId }, () => renew(record, userId))
    },
    async begin(record, userId, redirectUrl) {
      for (const [state, { startedAt }] of flows)
        if (startedAt + FLOW_SECONDS < nowSeconds()) flows.delete(state)
      if (flows.size >= MOST_FLOWS) flows.delete(flows.keys().next().value!)
      const flow = await start(record, userId, redirectUrl)
      flows.set(flow.state, flow)
      return flow.address
    },
    starterOf: (state) => flows.get(state)?.userId ?? null,
    async finish(record, userId, { code, state, iss }) {
      const flow = flows.get(state)
      const isOwn =
        flow !== undefined &&
        flow.userId === userId &&
        flow.serverId === record.id &&
        flow.startedAt + FLOW_SECONDS >= nowSeconds()
      if (!isOwn)
        throw badRequest('This sign-in was not begun here, or it took too long. Begin it again.')
      flows.delete(state)
      const redirectUrl = openClient(secrets, record.id, record.secrets.client)?.redirectUrl ?? ''
      const provider = toProvider(dependencies, { record, userId }, { redirectUrl, flow, state })
      await runAuth(record, provider, {
        authorizationCode: code,
        ...(iss !== undefined && { iss }),
      })
      onChanged(userId, record.id)
    },
    register: (request) => register(dependencies, request),
    discover: (url) => discover(dependencies, url),
    forget(userId, serverId) {
      store.writeToken(userId, serverId, null)
      onChanged(userId, serverId)
    },
  }
}

import type { AuthProvider, OAuthClientProvider } from '@modelcontextprotocol/client'
import { badRequest } from '../../lib/errors.ts'
import { nowSeconds, randomToken } from '../../lib/ids.ts'
import { takeTurn } from '../../live/index.ts'
import { createSignInFetch, type SignInFetch } from '../../lib/outgoing/sign-in-fetch.ts'
import type { ServerRecord } from '../servers/server-record.ts'
import { openClient, type ClientInfo } from './client-info.ts'
import {
  readTokens,
  signInFirst,
  toFailure,
  toProvider,
  type Flow,
  type SignInTokens,
  type SignInDependencies,
} from './provider.ts'
import { discover, register, type RegisterRequest } from './register.ts'

/** Parameters with which a user returns from a server's sign-in. */
export interface Returned {
  readonly code: string
  readonly state: string
  readonly iss: string | undefined
}

/** A started sign-in, with the URL to redirect to. */
interface BegunFlow extends Flow {
  readonly state: string
  readonly address: URL
}

const LOOK_MILLISECONDS = 5000

/**
 * Resolves with true if a sign-in no longer knows the gateway; checked before a user is redirected
 * there.
 */
async function isForgotten(address: URL, fetchFn: SignInFetch): Promise<boolean> {
  try {
    const reply = await fetchFn(address, {
      redirect: 'manual',
      signal: AbortSignal.timeout(LOOK_MILLISECONDS),
    })
    if (reply.status !== 400 && reply.status !== 401) return false
    return /invalid_client|unauthorized_client|unknown[ _]client|client[ _](is |was )?(not[ _]found|unknown)/i.test(
      await reply.text(),
    )
  } catch {
    // The user will see the error.
    return false
  }
}

/** Returns a user's token, renewed before it expires and when it is refused. */
function toAuthProvider(
  dependencies: SignInDependencies,
  { record, userId }: { record: ServerRecord; userId: string },
  renew: (old: SignInTokens) => Promise<void>,
): AuthProvider {
  const read = (): Promise<SignInTokens | null> => readTokens(dependencies, userId, record.id)
  let used: string | undefined
  return {
    async token() {
      const kept = await read()
      const isOld = kept?.renewAt != null && kept.renewAt < nowSeconds()
      if (isOld && kept.tokens.refresh_token !== undefined) await renew(kept)
      used = (await read())?.tokens.access_token
      return used
    },
    async onUnauthorized() {
      const kept = await read()
      if (!kept) throw signInFirst(record)
      // Another request has renewed it meanwhile.
      if (kept.tokens.access_token !== used) return
      if (kept.tokens.refresh_token === undefined) {
        await dependencies.store.writeToken(userId, record.id, null)
        throw signInFirst(record)
      }
      await renew(kept)
    },
  }
}

/**
 * OAuth 2.1 sign-ins of users at tool servers (docs/plugin-contract.md). Tokens belong to one user
 * and one server.
 */
export class SignIns {
  readonly #deps: SignInDependencies
  /** Pending renewals, so that a token is used for only one. */
  readonly #renewing = new Map<string, Promise<void>>()

  constructor(dependencies: SignInDependencies) {
    this.#deps = dependencies
  }

  async has(userId: string, serverId: string): Promise<boolean> {
    return (await this.#read(userId, serverId)) !== null
  }

  /** Returns the provider for this user's connections; throws 403 if there is no sign-in. */
  async providerOf(record: ServerRecord, userId: string): Promise<AuthProvider> {
    if (!(await this.#read(userId, record.id))) throw signInFirst(record)
    return toAuthProvider(this.#deps, { record, userId }, (old) => this.#renew(record, userId, old))
  }

  /** Returns the page to redirect the user to; throws 400 if the server has no usable sign-in. */
  async begin(record: ServerRecord, userId: string, redirectUrl: string): Promise<URL> {
    const { state, address, ...value } = await this.#beginFlow(record, userId, redirectUrl)
    await this.#deps.flows.save(state, { userId, value })
    return address
  }

  /** Returns the user who started a sign-in; null for an unknown state. */
  async starterOf(state: string): Promise<string | null> {
    return (await this.#deps.flows.find(state))?.userId ?? null
  }

  /** Processes the returned code; throws 400 for a state that is foreign, used or expired. */
  async finish(
    record: ServerRecord,
    userId: string,
    { code, state, iss }: Returned,
  ): Promise<void> {
    const { flows } = this.#deps
    const found = await flows.find(state)
    const isOwn = found?.userId === userId && found.value.serverId === record.id
    if (!isOwn || !(await flows.remove(state)))
      throw badRequest('This sign-in was not begun here, or it took too long. Begin it again.')
    const flow: Flow = { ...found.value, address: null }
    const redirectUrl =
      openClient(this.#deps.secrets, record.id, record.secrets.client)?.redirectUrl ?? ''
    const provider = toProvider(this.#deps, { record, userId }, { redirectUrl, flow, state })
    await this.#runAuth(record, provider, {
      authorizationCode: code,
      ...(iss !== undefined && { iss }),
    })
    this.#deps.onChanged(userId, record.id)
  }

  register(request: RegisterRequest): Promise<string> {
    return register(this.#deps, request)
  }

  /** Returns a server's sign-in metadata. */
  discover(url: string): Promise<Record<string, unknown>> {
    return discover(this.#deps, url)
  }

  async forget(userId: string, serverId: string): Promise<void> {
    await this.#deps.store.writeToken(userId, serverId, null)
    this.#deps.onChanged(userId, serverId)
  }

  /** Starts a flow, registering the gateway at the server if needed. */
  async #beginFlow(record: ServerRecord, userId: string, redirectUrl: string): Promise<BegunFlow> {
    const info = openClient(this.#deps.secrets, record.id, record.secrets.client)
    // A server registered with another redirect URL would refuse this one.
    const isUsable = info !== null && (info.isStatic || info.redirectUrl === redirectUrl)
    const known = isUsable ? record : await this.#registerAnew(record, info, redirectUrl)
    const flow = await this.#start(known, userId, redirectUrl)
    if (!isUsable || info.isStatic) return flow
    if (!(await isForgotten(flow.address, this.#fetchFor(record, info)))) return flow
    return this.#start(await this.#registerAnew(record, info, redirectUrl), userId, redirectUrl)
  }

  /** Registers the gateway again, with the parameters an administrator set before. */
  async #registerAnew(
    record: ServerRecord,
    info: ClientInfo | null,
    redirectUrl: string,
  ): Promise<ServerRecord> {
    const { scope = null, serverUrl = null, resource = 'auto' } = info ?? {}
    const request = {
      serverId: record.id,
      url: record.url,
      redirectUrl,
      name: null,
      clientId: null,
      clientSecret: null,
    }
    const client = await register(this.#deps, { ...request, scope, serverUrl, resource })
    await this.#deps.saveClient(record.id, client)
    return { ...record, secrets: { ...record.secrets, client } }
  }

  /** Runs a sign-in up to the page the user must see. */
  async #start(record: ServerRecord, userId: string, redirectUrl: string): Promise<BegunFlow> {
    const state = randomToken()
    const flow: Flow = {
      serverId: record.id,
      verifier: '',
      discovery: undefined,
      address: null,
    }
    await this.#runAuth(
      record,
      toProvider(this.#deps, { record, userId }, { redirectUrl, flow, state }),
    )
    if (!flow.address) throw badRequest('The tool server has no page to sign in at.')
    return Object.assign(flow, { state, address: flow.address })
  }

  #read(userId: string, serverId: string): Promise<SignInTokens | null> {
    return readTokens(this.#deps, userId, serverId)
  }

  #fetchFor(record: Pick<ServerRecord, 'url'>, info: ClientInfo | null): SignInFetch {
    return createSignInFetch([record.url, ...(info?.serverUrl ? [info.serverUrl] : [])], {
      outgoing: this.#deps.outgoing,
      guarded: this.#deps.guarded,
    })
  }

  async #runAuth(
    record: ServerRecord,
    provider: OAuthClientProvider,
    more: { authorizationCode?: string; iss?: string } = {},
  ): Promise<void> {
    const { auth } = await import('@modelcontextprotocol/client')
    const info = openClient(this.#deps.secrets, record.id, record.secrets.client)
    try {
      await auth(provider, {
        serverUrl: record.url,
        fetchFn: this.#fetchFor(record, info),
        ...(info?.scope && { scope: info.scope }),
        ...more,
      })
    } catch (error) {
      throw toFailure(error)
    }
  }

  /** Renews a token, unless another gateway has done so meanwhile. */
  #renew(record: ServerRecord, userId: string, old: SignInTokens): Promise<void> {
    const key = JSON.stringify([userId, record.id])
    const known = this.#renewing.get(key)
    if (known) return known
    const redirectUrl =
      openClient(this.#deps.secrets, record.id, record.secrets.client)?.redirectUrl ?? record.url
    const work = takeTurn(this.#deps.live, `tool_server_token/${key}`, async () => {
      const now = await this.#read(userId, record.id)
      if (now?.tokens.access_token !== old.tokens.access_token) return
      const provider = toProvider(
        this.#deps,
        { record, userId },
        { redirectUrl, flow: null, state: '' },
      )
      await this.#runAuth(record, provider)
    }).finally(() => this.#renewing.delete(key))
    this.#renewing.set(key, work)
    return work
  }
}

import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { badRequest, forbidden, ServiceError } from '../../lib/errors.ts'
import type { GuardedFetch } from '../../lib/outgoing/guarded-fetch.ts'
import { nowSeconds } from '../../lib/ids.ts'
import type { OutgoingFetch } from '../../lib/outgoing/outgoing-fetch.ts'
import type { Live, PendingFlows } from '../../live/index.ts'
import type { Secrets } from '../../storage/secrets/secrets.ts'
import type { ServerRecord } from '../servers/server-record.ts'
import type { ToolServerStore } from '../store.ts'
import { checkBrowserAddress } from './browser-address.ts'
import { openClient, sealClient } from './client-info.ts'

/** Stored data of a sign-in. */
export interface SignInTokens {
  readonly tokens: StoredOAuthTokens
  /** Time for a renewal, in unix seconds; null if the server did not specify the lifetime. */
  readonly renewAt: number | null
  readonly discovery: OAuthDiscoveryState | null
}

/** A started sign-in. */
export interface Flow {
  readonly serverId: string
  verifier: string
  discovery: OAuthDiscoveryState | undefined
  address: URL | null
}

/** A started sign-in, until the user returns. */
export type KeptFlow = Omit<Flow, 'address'>

export interface SignInDependencies {
  readonly store: ToolServerStore
  readonly secrets: Secrets
  readonly flows: PendingFlows<KeptFlow>
  /** The other gateways on the database; absent if there are none. */
  readonly live?: Live | null
  readonly outgoing: OutgoingFetch
  readonly guarded: GuardedFetch
  /** Stores the gateway's registration at a server. */
  readonly saveClient: (serverId: string, sealed: string) => Promise<void>
  readonly clientName: () => string
  /** Drops sessions that were opened with another sign-in. */
  readonly onChanged: (userId: string, serverId: string) => void
}

const EARLY_SECONDS = 300

/** Returns the gateway's metadata for its registration. */
export const toMetadata = (
  redirectUrl: string,
  name: string,
  scope: string | null,
  method = 'client_secret_post',
): OAuthClientMetadata => ({
  client_name: name,
  redirect_uris: [redirectUrl],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: method,
  ...(scope !== null && { scope }),
})

export const signInFirst = (record: ServerRecord): ServiceError =>
  forbidden(`Sign in to ${record.name || record.id} first, under Workspace, Tools.`, {
    code: 'tool_sign_in_needed',
  })

/** Converts any error to a sentence for the user who signs in. */
export function toFailure(error: unknown): unknown {
  if (error instanceof ServiceError) return error
  const cause =
    error instanceof Error && error.cause instanceof ServiceError ? error.cause.message : null
  return badRequest(
    `The sign-in of the tool server does not work: ${cause ?? (error instanceof Error ? error.message : String(error))}`,
    {
      cause: error,
    },
  )
}

export const readTokens = async (
  { store }: Pick<SignInDependencies, 'store'>,
  userId: string,
  serverId: string,
): Promise<SignInTokens | null> => (await store.readToken(userId, serverId)) as SignInTokens | null

/** Returns the resource of requested tokens, if it overrides that of the server. */
function toResource(resource: string, address: string | URL): URL | undefined {
  if (resource === 'omit') return undefined
  return new URL(resource === 'include' ? address : resource)
}

/** Creates the provider that the library uses while a user signs in or renews a sign-in. */
export function toProvider(
  dependencies: SignInDependencies,
  { record, userId }: { record: ServerRecord; userId: string },
  { redirectUrl, flow, state }: { redirectUrl: string; flow: Flow | null; state: string },
): OAuthClientProvider {
  const { store, secrets, saveClient, clientName } = dependencies
  let info = openClient(secrets, record.id, record.secrets.client)
  const scope = info?.scope ?? null
  const { serverUrl = null, resource = 'auto' } = info ?? {}
  return {
    redirectUrl: info?.isStatic === true ? info.redirectUrl : redirectUrl,
    clientMetadata: toMetadata(redirectUrl, clientName(), scope),
    state: () => state,
    clientInformation: () => info?.client,
    ...(info?.isStatic !== true && {
      saveClientInformation: async (client) => {
        info = { client, redirectUrl, isStatic: false, scope, serverUrl, resource }
        await saveClient(record.id, sealClient(secrets, record.id, info))
      },
    }),
    tokens: async () =>
      flow ? undefined : (await readTokens(dependencies, userId, record.id))?.tokens,
    async saveTokens(tokens) {
      const lifetime = tokens.expires_in
      const renewAt =
        lifetime === undefined
          ? null
          : nowSeconds() + lifetime - Math.min(EARLY_SECONDS, lifetime / 2)
      const discovery =
        flow?.discovery ?? (await readTokens(dependencies, userId, record.id))?.discovery ?? null
      await store.writeToken(userId, record.id, { tokens, renewAt, discovery })
    },
    redirectToAuthorization(address) {
      if (!flow) throw signInFirst(record)
      flow.address = checkBrowserAddress(address)
    },
    saveCodeVerifier: (verifier) => void (flow && (flow.verifier = verifier)),
    codeVerifier: () => flow?.verifier ?? '',
    saveDiscoveryState: (discovery) => void (flow && (flow.discovery = discovery)),
    discoveryState: async () =>
      flow?.discovery ??
      (await readTokens(dependencies, userId, record.id))?.discovery ??
      (serverUrl === null ? undefined : { authorizationServerUrl: serverUrl }),
    ...(resource !== 'auto' && {
      validateResourceURL: (address) => Promise.resolve(toResource(resource, address)),
    }),
    async invalidateCredentials(what) {
      if (what === 'all' || what === 'tokens') await store.writeToken(userId, record.id, null)
      if ((what === 'all' || what === 'client') && info?.isStatic !== true) info = null
    },
  }
}

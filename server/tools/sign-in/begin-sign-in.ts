import type { OAuthClientProvider } from '@modelcontextprotocol/client'
import { badRequest } from '../../lib/errors.ts'
import { nowSeconds, randomToken } from '../../lib/ids.ts'
import type { SignInFetch } from '../../lib/sign-in-fetch.ts'
import type { ServerRecord } from '../server-record.ts'
import { openClient, type ClientInfo } from './client-info.ts'
import { toProvider, type Flow, type SignInDependencies } from './provider.ts'
import { register } from './register.ts'

export interface BeginDependencies extends SignInDependencies {
  readonly fetchFor: (record: ServerRecord, info: ClientInfo | null) => SignInFetch
  readonly runAuth: (record: ServerRecord, provider: OAuthClientProvider) => Promise<void>
}

/** A sign-in that was begun, with where the person goes. */
export interface BegunFlow extends Flow {
  readonly state: string
  readonly address: URL
}

const LOOK_MILLISECONDS = 5000

/**
 * Whether a sign-in says that it no longer knows the gateway; asked before a person is sent there.
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
    // The person will see what is wrong.
    return false
  }
}

/** Begins the sign-in of a person, making the gateway known where that is needed. */
export function createBegin(dependencies: BeginDependencies) {
  const { secrets, saveClient, fetchFor, runAuth } = dependencies

  /** Makes the gateway known once more, on the terms an administrator set before. */
  async function registerAnew(
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
    const client = await register(dependencies, { ...request, scope, serverUrl, resource })
    saveClient(record.id, client)
    return { ...record, secrets: { ...record.secrets, client } }
  }

  async function start(
    record: ServerRecord,
    userId: string,
    redirectUrl: string,
  ): Promise<BegunFlow> {
    const state = randomToken()
    const flow: Flow = {
      userId,
      serverId: record.id,
      startedAt: nowSeconds(),
      verifier: '',
      discovery: undefined,
      address: null,
    }
    await runAuth(
      record,
      toProvider(dependencies, { record, userId }, { redirectUrl, flow, state }),
    )
    if (!flow.address) throw badRequest('The tool server has no page to sign in at.')
    return Object.assign(flow, { state, address: flow.address })
  }

  return async function begin(
    record: ServerRecord,
    userId: string,
    redirectUrl: string,
  ): Promise<BegunFlow> {
    const info = openClient(secrets, record.id, record.secrets.client)
    // A server that was told another address to send people back to would refuse this one.
    const isUsable = info !== null && (info.isStatic || info.redirectUrl === redirectUrl)
    const flow = await start(
      isUsable ? record : await registerAnew(record, info, redirectUrl),
      userId,
      redirectUrl,
    )
    if (!isUsable || info.isStatic || !(await isForgotten(flow.address, fetchFor(record, info))))
      return flow
    return start(await registerAnew(record, info, redirectUrl), userId, redirectUrl)
  }
}

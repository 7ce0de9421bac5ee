import type { ToolItem } from '#contract/tools.ts'
import type { ToolServerInput } from '#contract/tool-servers.ts'
import type { Access } from '../access/index.ts'
import type { Config } from '../config/config.ts'
import type { Files } from '../files/index.ts'
import type { Groups } from '../groups/index.ts'
import type { GuardedFetch } from '../lib/guarded-fetch.ts'
import type { Caller, Route } from '../lib/http.ts'
import type { Logger } from '../lib/logger.ts'
import { createOutgoingFetch } from '../lib/outgoing-fetch.ts'
import type { Settings } from '../settings/index.ts'
import type { Storage } from '../storage/index.ts'
import { createOwnSecrets, type Secrets } from '../storage/secrets.ts'
import type { Users } from '../users/index.ts'
import { createAnswerStore } from './answer-store.ts'
import { createAnswers } from './answers.ts'
import { createConnections } from './connections.ts'
import { chooseServers, takeEnvironmentServers } from './environment-servers.ts'
import { createLiveServers } from './live-servers.ts'
import { createConnectMcp } from './mcp/connect.ts'
import { openBelt, type Belt, type ToolContext, type ToolRequest } from './open-belt.ts'
import type { OpenApiDependencies } from './openapi/open-openapi.ts'
import { createReach } from './reach.ts'
import { createMakeHeaders, type HeaderDependencies } from './request-headers.ts'
import { createToolServerRoutes } from './routes.ts'
import { createServerStates } from './server-states.ts'
import { createSessionTokens } from './session-tokens.ts'
import { createSignIns } from './sign-in/sign-ins.ts'
import { createToolServerStore, type StoredServer } from './store.ts'

export type { Belt, ToolContext, ToolRequest } from './open-belt.ts'

/** Tool servers (plugin contract §8), and all tools of a request put together. */
export interface Tools {
  /**
   * Opens the tools a request names: in `tool_ids` those of servers, in `tool_servers` those of the
   * person's own servers, and those plugins have for it. Null, and not a promise, when there are
   * none. A server that does not exist for the caller, or cannot be had now, is left out with a
   * status line.
   */
  open(context: ToolContext, request: ToolRequest): null | Promise<Belt | null>
  /** The servers somebody may use, as entries of the list of tools. */
  listFor(caller: Caller): ToolItem[]
  readonly routes: readonly Route[]
  /** Ends programs and connections. */
  close(): Promise<void>
}

/** What the domain is built from. */
export interface ToolsDependencies {
  readonly storage: Storage
  readonly secrets: Secrets
  readonly settings: Settings
  readonly users: Pick<Users, 'get' | 'onSessionsRevoked' | 'settings'>
  readonly groups: Pick<Groups, 'allows' | 'idsOf' | 'list'>
  readonly access: Access
  readonly files: Pick<Files, 'create'>
  readonly guardedFetch: GuardedFetch
  readonly config: Pick<Config, 'dataDir' | 'environment' | 'mode'>
  readonly log: Logger
  /** Tokens of the provider somebody signed in with; null without any. */
  readonly providerTokens: HeaderDependencies['providerTokens']
  /** Tools of plugins a request names; none when absent. */
  readonly openPlugins?: (
    context: ToolContext,
    request: ToolRequest,
  ) => Belt | null | Promise<Belt | null>
}

const DOCUMENT_MILLISECONDS = 10_000

/**
 * Builds the domain on the tables of `0018-tool-servers`. Nothing is contacted or started before a
 * tool is wanted.
 */
export function createTools(dependencies: ToolsDependencies): Tools {
  const {
    storage,
    secrets,
    settings,
    users,
    groups,
    access,
    files,
    guardedFetch,
    config,
    log,
    openPlugins,
  } = dependencies
  const store = createToolServerStore(storage, secrets)
  let kept: StoredServer[] | null = null
  const isEnvironmentFirst = !settings.boolean('ENABLE_PERSISTENT_CONFIG')
  const servers = (): StoredServer[] => (kept ??= chooseServers(store.list(), isEnvironmentFirst))
  const reload = (): void => void (kept = null)
  const find = (id: string): StoredServer | null =>
    servers().find(({ record }) => record.id === id) ?? null

  const outgoing = createOutgoingFetch()
  const states = createServerStates()
  const sessionTokens = createSessionTokens(secrets, users)
  const makeHeaders = createMakeHeaders({
    settings,
    groups,
    sessionTokens,
    providerTokens: dependencies.providerTokens,
  })
  const signIns = createSignIns({
    store,
    secrets: createOwnSecrets(secrets, settings.string('OAUTH_CLIENT_INFO_ENCRYPTION_KEY')),
    outgoing,
    guarded: guardedFetch,
    saveClient: (id, sealed) => connections.saveClient(id, sealed),
    clientName: () => settings.string('WEBUI_NAME'),
    onChanged: (userId, serverId) => void live.drop({ userId, serverId }),
  })
  const openApi: OpenApiDependencies = {
    outgoing,
    makeHeaders,
    fetchDocument: async (url) =>
      (
        await guardedFetch.fetch(url, {}, AbortSignal.timeout(DOCUMENT_MILLISECONDS))
      ).bytes.toString('utf8'),
  }
  const live = createLiveServers({
    find,
    approve(id, approved) {
      store.approve(id, approved)
      reload()
    },
    connectMcp: createConnectMcp({
      outgoing,
      makeHeaders,
      environment: config.environment,
      dataDir: config.dataDir,
    }),
    openApi,
    states,
    settings,
    signInOf: (record, userId) => signIns.providerOf(record, userId),
  })
  const reach = createReach({
    servers,
    access,
    states,
    hasSignedIn: (userId, serverId) => signIns.has(userId, serverId),
  })
  const transaction = <Result>(work: () => Result): Result => storage.transaction(work)
  const inputs = settings.json<ToolServerInput[]>('TOOL_SERVER_CONNECTIONS')
  takeEnvironmentServers(
    { store, access, transaction, log },
    { inputs, isFirst: isEnvironmentFirst },
  )
  const connections = createConnections({
    store,
    access,
    transaction,
    live,
    states,
    signIns,
    servers,
    reload,
  })
  users.onSessionsRevoked((userId) => void live.drop({ userId }))
  const answerStore = createAnswerStore(storage)
  const belts = { reach, live, answers: createAnswers(answerStore), files, settings, groups }

  return {
    open: (context, request) =>
      openBelt(belts, { origin: context, request, other: openPlugins?.(context, request) ?? null }),
    listFor: (caller) => reach.list(caller),
    routes: createToolServerRoutes({
      connections,
      reach,
      states,
      signIns,
      sessionTokens,
      answers: answerStore,
      publicAddress: () => settings.string('WEBUI_URL'),
      isDesktop: config.mode === 'desktop',
      find: (id) => find(id)?.record ?? null,
      settingsOf: (userId) => users.settings(userId),
    }),
    async close() {
      await live.close()
      await outgoing.close()
    },
  }
}

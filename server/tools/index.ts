import { isDeepStrictEqual } from 'node:util'
import type { Access } from '../access/index.ts'
import type { Config } from '../config/config.ts'
import type { RequestContext } from '../extensions/request-context.ts'
import type { OpenBelt, ToolBelt, ToolRequest } from '../extensions/tool-belt.ts'
import type { Files } from '../files/index.ts'
import type { Groups } from '../groups/index.ts'
import type { GuardedFetch } from '../lib/outgoing/guarded-fetch.ts'
import type { Route } from '../lib/http.ts'
import type { Logger } from '../lib/logger.ts'
import { PendingFlows, type Live } from '../live/index.ts'
import { createOutgoingFetch } from '../lib/outgoing/outgoing-fetch.ts'
import { because } from '../lib/outgoing/purpose.ts'
import type { ToolsSettings } from './tools-settings.ts'
import type { Storage } from '../storage/index.ts'
import { createOwnSecrets, type Secrets } from '../storage/secrets/secrets.ts'
import type { Users } from '../users/index.ts'
import { AnswerStore } from './calls/answer-store.ts'
import { Answers } from './calls/answers.ts'
import { Connections } from './servers/connections.ts'
import { chooseServers, takeEnvironmentServers } from './servers/environment-servers.ts'
import { LiveServers } from './servers/live-servers.ts'
import { createConnectMcp, type WatchProgram } from './mcp/connect.ts'
import { openBelt, type BeltDependencies } from './calls/open-belt.ts'
import { Reach } from './servers/reach.ts'
import { createMakeHeaders, type HeaderDependencies } from './servers/request-headers.ts'
import { createToolServerRoutes } from './routes.ts'
import { ServerStates } from './servers/server-states.ts'
import { SessionTokens } from './servers/session-tokens.ts'
import { SignIns } from './sign-in/sign-ins.ts'
import { ToolServerStore, type StoredServer } from './store.ts'

/** Dependencies of the domain. */
export interface ToolsDependencies {
  readonly storage: Storage
  readonly secrets: Secrets
  readonly settings: ToolsSettings
  readonly users: Users
  readonly groups: Groups
  readonly access: Access
  readonly files: Files
  readonly guardedFetch: GuardedFetch
  readonly config: Pick<Config, 'dataDir' | 'environment' | 'mode'>
  /** The other gateways on the database; absent if there are none. */
  readonly live?: Live | null
  readonly log: Logger
  /** Returns tokens of the provider a user signed in with; null if there are none. */
  readonly providerTokens: HeaderDependencies['providerTokens']
  /** Opens tools of plugins a request names; none when absent. */
  readonly openPlugins?: OpenBelt
  readonly watchProgram?: WatchProgram
}

const DOCUMENT_MILLISECONDS = 10_000

/**
 * Tool servers, and all tools of a request combined, on the tables of `0018-tool-servers`. Nothing
 * is contacted or started before a tool is needed.
 */
export class Tools {
  readonly #dependencies: ToolsDependencies
  readonly #store: ToolServerStore
  readonly #outgoing = createOutgoingFetch({ kind: 'tool_server' })
  readonly #states = new ServerStates()
  readonly #sessionTokens: SessionTokens
  readonly #signIns: SignIns
  readonly #live: LiveServers
  /** Which servers a user may use. */
  readonly reach: Reach
  readonly #connections: Connections
  readonly #belts: BeltDependencies
  readonly #isEnvironmentFirst: boolean
  #kept: readonly StoredServer[] = []
  /** Number of reads, so that an older read never replaces a newer one. */
  #reads = 0
  readonly routes: readonly Route[]

  constructor(dependencies: ToolsDependencies) {
    this.#dependencies = dependencies
    const { storage, secrets, settings, users, access } = dependencies
    this.#store = new ToolServerStore(storage, secrets)
    this.#isEnvironmentFirst = !settings.get('ENABLE_PERSISTENT_CONFIG')
    this.#sessionTokens = new SessionTokens(secrets, users)
    this.#signIns = this.#createSignIns()
    this.#live = this.#createLiveServers()
    const shared = {
      access,
      live: this.#live,
      states: this.#states,
      signIns: this.#signIns,
      servers: () => this.#kept,
    }
    this.reach = new Reach(shared)
    this.#connections = new Connections({
      ...shared,
      store: this.#store,
      transaction: (work) => storage.transaction(work),
      reload: () => this.#reload(),
    })
    const answerStore = new AnswerStore(storage)
    this.#belts = {
      ...dependencies,
      reach: this.reach,
      live: this.#live,
      answers: new Answers(answerStore),
    }
    this.#dropWhenOutdated()
    this.routes = createToolServerRoutes({
      connections: this.#connections,
      reach: this.reach,
      states: this.#states,
      signIns: this.#signIns,
      sessionTokens: this.#sessionTokens,
      answers: answerStore,
      publicAddress: () => settings.get('WEBUI_URL'),
      isDesktop: dependencies.config.mode === 'desktop',
      find: (id) => this.#find(id)?.record ?? null,
      isSealed: () => settings.get('SEALED_MODE'),
      settingsOf: (userId) => users.settings(userId),
    })
  }

  /**
   * Adds the servers of the environment and reads all; must be awaited before the first request.
   */
  async load(): Promise<void> {
    const { storage, settings } = this.#dependencies
    await takeEnvironmentServers(
      {
        ...this.#dependencies,
        store: this.#store,
        transaction: (work) => storage.transaction(work),
      },
      { inputs: settings.get('TOOL_SERVER_CONNECTIONS'), isFirst: this.#isEnvironmentFirst },
    )
    await this.#reload()
  }

  /**
   * Opens the tools a request names: in `tool_ids` those of servers, in `tool_servers` those of the
   * user's own servers, and those of plugins. Returns null, synchronously, if there are none. A
   * server that does not exist for the caller, or is unavailable, is omitted with a status line.
   */
  open(context: RequestContext, request: ToolRequest): null | Promise<ToolBelt | null> {
    return openBelt(this.#belts, {
      origin: context,
      request,
      other: this.#dependencies.openPlugins?.(context, request) ?? null,
    })
  }

  /** Ends programs and connections. */
  async close(): Promise<void> {
    await this.#live.close()
    await this.#outgoing.close()
  }

  #createSignIns(): SignIns {
    const { storage, secrets, settings, guardedFetch, live } = this.#dependencies
    return new SignIns({
      store: this.#store,
      live,
      flows: new PendingFlows(
        { storage, secrets },
        { kind: 'tool_server_sign_in', seconds: 600, mostPerUser: 20 },
      ),
      secrets: createOwnSecrets(secrets, settings.get('OAUTH_CLIENT_INFO_ENCRYPTION_KEY')),
      outgoing: this.#outgoing,
      guarded: guardedFetch,
      saveClient: (id, sealed) => this.#connections.saveClient(id, sealed),
      clientName: () => settings.get('WEBUI_NAME'),
      onChanged: (userId, serverId) => void this.#live.drop({ userId, serverId }),
    })
  }

  #createLiveServers(): LiveServers {
    const { settings, guardedFetch, config } = this.#dependencies
    const outgoing = this.#outgoing
    const makeHeaders = createMakeHeaders({
      ...this.#dependencies,
      sessionTokens: this.#sessionTokens,
    })
    return new LiveServers({
      find: (id) => this.#find(id),
      approve: async (id, approved) => {
        await this.#store.approve(id, approved)
        await this.#reload()
      },
      connectMcp: createConnectMcp({ ...this.#dependencies, ...config, outgoing, makeHeaders }),
      openApi: {
        outgoing,
        makeHeaders,
        fetchDocument: (url) => fetchDocument(guardedFetch, url),
      },
      states: this.#states,
      settings,
      signInOf: (record, userId) => this.#signIns.providerOf(record, userId),
    })
  }

  /** Ends connections that a change elsewhere makes invalid. */
  #dropWhenOutdated(): void {
    const { storage, settings, users } = this.#dependencies
    storage.onOthersChange(['tool_server'], () => this.#readAgain())
    users.onSessionsRevoked(async (userId) => void this.#live.drop({ userId }))
    settings.onChange(async (keys) => {
      if (keys.includes('SEALED_MODE')) await this.#live.drop({})
    })
  }

  async #reload(): Promise<void> {
    const read = (this.#reads += 1)
    const servers = chooseServers(await this.#store.list(), this.#isEnvironmentFirst)
    if (read === this.#reads) this.#kept = servers
  }

  /** Loads the servers stored by other gateways; changed ones are contacted again. */
  async #readAgain(): Promise<void> {
    const before = this.#kept
    await this.#reload()
    const changed = before.filter(
      ({ record }) => !isDeepStrictEqual(record, this.#find(record.id)?.record),
    )
    await Promise.all(changed.map(({ record }) => this.#live.drop({ serverId: record.id })))
  }

  #find(id: string): StoredServer | null {
    return this.#kept.find(({ record }) => record.id === id) ?? null
  }
}

async function fetchDocument(guardedFetch: GuardedFetch, url: string): Promise<string> {
  const signal = AbortSignal.timeout(DOCUMENT_MILLISECONDS)
  const reply = await because({ kind: 'tool_server' }, () => guardedFetch.fetch(url, {}, signal))
  return reply.bytes.toString('utf8')
}

import { filterInOrder } from '../lib/in-order.ts'
import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Model } from '#contract/models.ts'
import type { ToolItem } from '#contract/tools.ts'
import type { Access } from '../access/index.ts'
import type { Chats } from '../chats/index.ts'
import type { Config } from '../config/config.ts'
import type { Events } from '../events/index.ts'
import type { Groups } from '../groups/index.ts'
import type { Outlet, RequestFilters } from '../extensions/filters.ts'
import type { RequestContext } from '../extensions/request-context.ts'
import type { RunAction } from '../extensions/run-action.ts'
import type { ToolBelt, ToolRequest } from '../extensions/tool-belt.ts'
import type { TracedWork } from '../extensions/traced-work.ts'
import type { GuardedFetch } from '../lib/outgoing/guarded-fetch.ts'
import type { Caller, Route } from '../lib/http.ts'
import type { Logger } from '../lib/logger.ts'
import type { ProgramConnections } from '../outgoing/index.ts'
import type { ModelSource } from '../providers/index.ts'
import type { PluginsSettings } from './plugins-settings.ts'
import type { Storage } from '../storage/index.ts'
import type { Secrets } from '../storage/secrets/secrets.ts'
import type { Users } from '../users/index.ts'
import { BUILT_IN_FUNCTIONS } from './built-in/functions.ts'
import { offerBuiltIn } from './built-in/offer.ts'
import { toItem } from './built-in/tool.ts'
import { createBuiltInTools, type BuiltInDependencies } from './built-in/tools.ts'
import type { IssueCallToken } from './calls/call-back.ts'
import { createFormatRoute } from './sources/format-code.ts'
import { createFunctionRoutes } from './function-routes.ts'
import { createHostApi, type HostDependencies } from './host-api/index.ts'
import { Installs } from './sources/installs.ts'
import { LaterRooms } from './later-rooms.ts'
import { Loader } from './loader.ts'
import { PipeModels } from './pipes/pipe-models.ts'
import type { PluginContext } from './plugin-context.ts'
import { createPluginRoutes } from './plugin-routes.ts'
import { Records } from './records.ts'
import { Runner, type RunnerDependencies } from './calls/runner.ts'
import { Runtime, type ProgramLine } from './runtime.ts'
import { PluginStore } from './store.ts'
import { createRunAction } from './taking-part/actions.ts'
import { createDescribeModel } from './taking-part/describe-model.ts'
import { createChooseFilters, createOutlet } from './taking-part/filters.ts'
import { createBelt, offerTools } from './taking-part/tools.ts'
import { traceCalls, traceWork, type TraceCallsOptions } from './taking-part/trace-calls.ts'
import { createToolRoutes } from './tool-routes.ts'
import { Traces } from './calls/traces.ts'
import { domainOfAuthor } from './trust-domain.ts'
import type { Supervisor } from './worker/supervisor.ts'

export type { HostDependencies } from './host-api/index.ts'
export type { LoneProgram } from './worker/start-alone.ts'
export type { WorkerProcess } from './worker/start-process.ts'

/** Dependencies of plugins. Services created later are set by `connect`. */
export interface PluginsDependencies {
  readonly storage: Storage
  readonly secrets: Secrets
  readonly settings: PluginsSettings
  readonly users: Users
  readonly access: Access
  readonly groups: Groups
  readonly config: Config
  readonly guardedFetch: GuardedFetch
  readonly programs: ProgramConnections
  readonly log: Logger
  /** Services of the gateway available to plugin code. */
  readonly host: HostDependencies
  /** Services that the bundled tools use. */
  readonly builtIn: BuiltInDependencies
  readonly chats: Pick<Chats, 'saveAnswer'>
  readonly events: Pick<Events, 'emit'>
  readonly issueCallToken: IssueCallToken
  readonly providerTokens: RunnerDependencies['providerTokens']
}

interface Loaded {
  readonly users: Pick<Users, 'get' | 'onRemoved' | 'onSessionsRevoked'>
  readonly records: Records
  readonly loader: Loader
  readonly supervisor: Supervisor
  readonly traces: Traces
  readonly log: Logger
}

/** Ends the code of deleted plugins, and of users who may no longer run any where it was loaded. */
function endWhatWent({ users, records, loader, supervisor, traces, log }: Loaded): void {
  records.onChange((key) => {
    // Its tasks would otherwise continue, and keep their resources.
    if (key && !records.find(key)) loader.unload(key)
  })
  users.onSessionsRevoked(async (userId) => {
    const user = await users.get(userId)
    if (user?.role === 'admin') return
    // The code of a demoted or deleted user would otherwise continue where it was loaded, among
    // that of others.
    const domain = user ? await domainOfAuthor(users, userId) : null
    // Not awaited, because this code may run in the worker that is ended.
    supervisor
      .expel(userId, domain)
      .catch((error: unknown) => log.error({ error }, 'the code of a user could not be ended'))
  })
  users.onRemoved(async (userId) => {
    await records.reload()
    traces.forget(userId)
  })
}

/**
 * Tools and functions: code of plugins, run in separate processes. Nothing is started before a
 * plugin is used.
 */
export class Plugins {
  readonly #settings: PluginsSettings
  readonly #folder: string
  readonly #records: Records
  readonly #traces = new Traces()
  readonly #runtime: Runtime
  readonly #context: PluginContext & { readonly later: LaterRooms }
  readonly #builtIn: ReturnType<typeof createBuiltInTools>
  /** Services that are created after plugins. */
  readonly later = new LaterRooms()
  #listeningAt: string
  readonly routes: readonly Route[]
  /** Returns the filters that apply to a request; null, synchronously, if there are none. */
  readonly filters: (context: RequestContext) => RequestFilters | null
  readonly outlet: Outlet
  readonly actions: RunAction
  /** Also traces each call of a tool that belongs to no plugin. */
  readonly traceCalls = (origin: TraceCallsOptions['origin'], belt: ToolBelt): ToolBelt =>
    traceCalls({ traces: this.#traces, isOwn: (id) => this.#isOwn(id), origin }, belt)
  /** Adds the buttons and switches of plugins to an entry of the model list. */
  readonly describeModel: (model: Model) => Model
  /** Pipes in the list of models. */
  readonly models: ModelSource

  constructor(dependencies: PluginsDependencies) {
    const { storage, secrets, settings, users, access, config, host } = dependencies
    const traces = this.#traces
    const later = this.later
    const folder = (this.#folder = path.join(config.dataDir, 'plugins'))
    const store = new PluginStore(storage, secrets)
    const records = (this.#records = new Records(store, BUILT_IN_FUNCTIONS))
    const runtime = (this.#runtime = new Runtime({ ...dependencies, folder, records }))
    const { environments, supervisor } = runtime
    const answerHost = createHostApi({ ...host, store, records, access, users, settings, later })
    const running = { ...dependencies, records, environments, supervisor, answerHost }
    const loader = new Loader(running)
    const baseUrl = (): string => this.#baseUrl()
    const runner = new Runner({ ...dependencies, loader, store, traces, answerHost, baseUrl })
    const context = (this.#context = {
      ...dependencies,
      store,
      records,
      loader,
      runner,
      later,
      isInstalling: () => environments.describe().some(({ status }) => status === 'installing'),
      prepare: () => runtime.prepare(),
    })
    this.#settings = settings
    this.#listeningAt = `http://127.0.0.1:${config.port}`
    this.#builtIn = createBuiltInTools(dependencies.builtIn)
    storage.onOthersChange(['plugin'], () => records.readAgain())
    endWhatWent({ users, records, loader, supervisor, traces, log: dependencies.log })
    settings.onChange(async (keys) => {
      if (keys.includes('SEALED_MODE')) await runtime.restartAll()
    })
    this.routes = [
      ...createToolRoutes(context, (caller) => this.#moreItems(caller)),
      ...createFunctionRoutes(context),
      createFormatRoute(context),
      ...createPluginRoutes({
        ...context,
        traces,
        apiVersion: config.apiVersion,
        describeState: () => runtime.describe(),
        forgive: (label) => supervisor.suspects.forgive(label),
        installs: new Installs({ context, sources: loader.sources, environments }),
        reinstall: (id) => {
          const installing = environments.reinstall(id)
          return installing && installing.then(() => supervisor.restart(id))
        },
      }),
    ]
    this.filters = createChooseFilters(context)
    this.outlet = createOutlet(context)
    this.actions = createRunAction(context)
    this.describeModel = createDescribeModel(records)
    this.models = new PipeModels(context)
  }

  /** Reads the stored plugins; must be awaited before the first request. */
  load(): Promise<void> {
    return this.#records.load()
  }

  /**
   * Runs programs of the gateway itself inside the fence of plugins, without network and other
   * processes.
   */
  get fence(): Pick<Runtime, 'canStartAlone' | 'startAlone'> {
    return this.#runtime
  }

  /** Returns a tool server's program so that its connections are listed. */
  watchProgram(...given: Parameters<Runtime['watchProgram']>): Promise<ProgramLine> {
    return this.#runtime.watchProgram(...given)
  }

  /**
   * Returns the functions of the tools a request names that its caller may use; null,
   * synchronously, if there are none.
   */
  open(request: RequestContext, { tool_ids: ids }: ToolRequest): null | Promise<ToolBelt | null> {
    return Array.isArray(ids) && ids.length > 0 ? this.#openNamed(request, ids) : null
  }

  /** Traces other work that takes part in an answer. */
  trace<Value>(about: TracedWork, work: () => Promise<Value>): Promise<Value> {
    return traceWork(this.#traces, about, work)
  }

  /**
   * Installs the requirements of active plugins, after start. `address` is the URL of the gateway.
   */
  async resume(address: string = this.#listeningAt): Promise<void> {
    this.#listeningAt = address
    mkdirSync(this.#folder, { recursive: true })
    // Deletes the worker folders of the last run.
    rmSync(path.join(this.#folder, 'workers'), { recursive: true, force: true })
    await this.#records.reload()
    this.#runtime.resume()
  }

  /** Returns the names of the given tools; others are left out. */
  namesOf(toolIds: ReadonlySet<string>): { id: string; name: string }[] {
    return this.#records
      .all('tool')
      .filter(({ id }) => toolIds.has(id))
      .map(({ id, name }) => ({ id, name }))
  }

  /** Ends every worker within two seconds. */
  close(): Promise<void> {
    return this.#runtime.close()
  }

  async #openNamed(request: RequestContext, ids: readonly string[]): Promise<ToolBelt | null> {
    return createBelt([
      ...(await offerTools(this.#context, request, ids, request.resolved.entry)),
      ...(await offerBuiltIn(this.#builtIn, this.#traces, request, ids)),
    ])
  }

  #baseUrl(): string {
    return this.#settings.get('WEBUI_URL').replace(/\/$/, '') || this.#listeningAt
  }

  async #moreItems(caller: Caller): Promise<ToolItem[]> {
    return [
      ...(await filterInOrder(this.#builtIn, (tool) => tool.isOffered(caller))).map(toItem),
      ...(await this.later.rooms.toolServers.list(caller)),
    ]
  }

  #isOwn(id: string): boolean {
    return (
      this.#records.find({ store: 'tool', id }) !== null ||
      this.#builtIn.some((tool) => tool.id === id)
    )
  }
}

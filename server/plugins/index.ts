import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { Model } from '#contract/models.ts'
import type { Access } from '../access/index.ts'
import type { Config } from '../config/config.ts'
import type { Groups } from '../groups/index.ts'
import type { GuardedFetch } from '../lib/guarded-fetch.ts'
import type { Route } from '../lib/http.ts'
import type { Logger } from '../lib/logger.ts'
import type { ModelSource } from '../providers/index.ts'
import type { Settings } from '../settings/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Secrets } from '../storage/secrets.ts'
import type { Users } from '../users/index.ts'
import { BUILT_IN_FUNCTIONS } from './built-in/functions.ts'
import { offerBuiltIn } from './built-in/offer.ts'
import { toItem } from './built-in/tool.ts'
import { createBuiltInTools, type BuiltInDependencies } from './built-in/tools.ts'
import type { IssueCallToken } from './call-back.ts'
import { createFormatRoute } from './format-code.ts'
import { createFunctionRoutes } from './function-routes.ts'
import { createHostApi, type HostDependencies } from './host-api/index.ts'
import { createInstalls } from './installs.ts'
import { createLoader, type Loader } from './loader.ts'
import { createPipeModels } from './pipes/pipe-models.ts'
import type { PipeBelt } from './pipes/provider.ts'
import type { Notify, PluginContext } from './plugin-context.ts'
import { createPluginRoutes } from './plugin-routes.ts'
import { createRecords, type Records } from './records.ts'
import { createRunner, type RunnerDependencies } from './runner.ts'
import { createRuntime, type Runtime } from './runtime.ts'
import { createPluginStore } from './store.ts'
import { createRunAction } from './taking-part/actions.ts'
import { createDescribeModel } from './taking-part/describe-model.ts'
import { createChooseFilters, createOutlet, type ChosenFilters } from './taking-part/filters.ts'
import type { FindModel, RequestContext } from './taking-part/request-context.ts'
import { createBelt, offerTools, type PluginBelt } from './taking-part/tools.ts'
import {
  traceCalls,
  traceWork,
  type TraceCalls,
  type TracedWork,
} from './taking-part/trace-calls.ts'
import { createToolRoutes, type MoreTools } from './tool-routes.ts'
import { createTraces, type Traces } from './traces.ts'
import { domainOfAuthor } from './trust-domain.ts'
import type { Supervisor } from './worker/supervisor.ts'

export type { HostDependencies } from './host-api/index.ts'
export type { MoreTools } from './tool-routes.ts'
export type { LoneProgram } from './worker/start-alone.ts'
export type { WorkerProcess } from './worker/start-process.ts'

/** Tools and functions: code of plugins, run in processes of its own (plugin contract). */
export interface Plugins {
  readonly routes: readonly Route[]
  /** The filters in force for a request; null, at once, when there are none. */
  readonly filters: (context: RequestContext) => ChosenFilters | null
  readonly outlet: ReturnType<typeof createOutlet>
  readonly actions: ReturnType<typeof createRunAction>
  /**
   * The functions of the tools a request names that its caller may use; null, at once, when there
   * are none.
   */
  open(context: RequestContext, request: Pick<ChatCompletionRequest, 'tool_ids'>): PluginBelt | null
  /** Has each call of a tool that is none of a plugin leave a trace as well. */
  readonly traceCalls: TraceCalls
  /** Has work elsewhere that takes part in an answer leave a trace. */
  readonly trace: <Value>(about: TracedWork, work: () => Promise<Value>) => Promise<Value>
  /**
   * Runs programs of the gateway itself behind the fence of plugins, without network and other
   * processes.
   */
  readonly fence: Pick<Runtime, 'canStartAlone' | 'startAlone'>
  /** Adds the buttons and switches of plugins to an entry of the model list. */
  describeModel(model: Model): Model
  /** Pipes, for the list of models. */
  readonly models: ModelSource
  /**
   * Installs what plugins in use need, after start. `address` is where the gateway itself is
   * reached.
   */
  resume(address?: string): void
  /** Ends every worker within two seconds. */
  close(): Promise<void>
}

/**
 * What plugins are built from. What stands right of them in the order of the server comes as
 * functions.
 */
export interface PluginsDependencies {
  readonly storage: Storage
  readonly secrets: Secrets
  readonly settings: Settings
  readonly users: Users
  readonly access: Access
  readonly groups: Groups
  readonly config: Config
  readonly guardedFetch: GuardedFetch
  readonly log: Logger
  /** What plugin code may reach of the gateway. */
  readonly host: HostDependencies
  /** What the tools the gateway brings along read and write. */
  readonly builtIn: BuiltInDependencies
  readonly notify: Notify
  readonly findModel: FindModel
  readonly issueCallToken: IssueCallToken
  readonly providerTokens: RunnerDependencies['providerTokens']
  readonly saveMessage: (chatId: string, messageId: string, fields: Record<string, unknown>) => void
  /** All tools of a request, for pipes that call them themselves. */
  readonly openTools: (origin: RequestContext) => Promise<PipeBelt | null>
  /** Entries of the tool list that are no plugins. */
  readonly moreTools?: MoreTools
}

interface Loaded {
  readonly users: Pick<Users, 'get' | 'onSessionsRevoked'>
  readonly records: Records
  readonly loader: Loader
  readonly supervisor: Supervisor
  readonly traces: Traces
}

/**
 * Ends the code of plugins that were deleted, and of people who may no longer run any where it was
 * loaded.
 */
function endWhatWent({ users, records, loader, supervisor, traces }: Loaded): void {
  records.onChange((key) => {
    // Its tasks would go on, and hold what it took.
    if (key && !records.find(key)) loader.unload(key)
  })
  users.onSessionsRevoked((userId) => {
    const user = users.get(userId)
    // The code of who was demoted or deleted goes on where it was loaded, among that of others.
    if (user?.role !== 'admin')
      void supervisor.expel(userId, user ? domainOfAuthor(users, userId) : null)
    if (user) return
    records.reload()
    traces.forget(userId)
  })
}

/** Builds the domain; nothing is started before a plugin is used. */
export function createPlugins(dependencies: PluginsDependencies): Plugins {
  const {
    storage,
    secrets,
    settings,
    users,
    access,
    groups,
    config,
    guardedFetch,
    log,
    host,
    findModel,
    saveMessage,
  } = dependencies
  const folder = path.join(config.dataDir, 'plugins')
  const store = createPluginStore(storage, secrets)
  const records = createRecords(store, BUILT_IN_FUNCTIONS)
  const traces = createTraces()
  let listeningAt = `http://127.0.0.1:${config.port}`
  const baseUrl = (): string => settings.string('WEBUI_URL').replace(/\/$/, '') || listeningAt
  const runtime = createRuntime({ folder, config, settings, records, log })
  const { supervisor, environments } = runtime
  const answerHost = createHostApi({ ...host, store, records, access, users, settings })
  const loader = createLoader({
    records,
    users,
    environments,
    supervisor,
    secrets,
    answerHost,
    log,
  })
  const { notify, issueCallToken, providerTokens } = dependencies
  const runner = createRunner({
    loader,
    store,
    traces,
    users,
    settings,
    answerHost,
    baseUrl,
    issueCallToken,
    providerTokens,
    log,
  })
  const isInstalling = () => environments.describe().some(({ status }) => status === 'installing')
  const context: PluginContext = {
    storage,
    store,
    records,
    runner,
    access,
    groups,
    users,
    guardedFetch,
    isInstalling,
    notify,
    prepare: runtime.prepare,
  }
  const builtIn = createBuiltInTools(dependencies.builtIn)
  const { moreTools = () => [] } = dependencies
  const moreItems: MoreTools = async (caller) => [
    ...builtIn.filter((tool) => tool.isOffered(caller)).map(toItem),
    ...(await moreTools(caller)),
  ]
  endWhatWent({ users, records, loader, supervisor, traces })
  const isOwn = (id: string): boolean =>
    records.find({ store: 'tool', id }) !== null || builtIn.some((tool) => tool.id === id)
  const taking = { records, runner, findModel }
  return {
    routes: [
      ...createToolRoutes(context, moreItems),
      ...createFunctionRoutes(context),
      createFormatRoute(context),
      ...createPluginRoutes({
        ...context,
        traces,
        settings,
        apiVersion: config.apiVersion,
        describeState: () => runtime.describe(),
        forgive: (label) => supervisor.forgive(label),
        installs: createInstalls({ context, loader, environments }),
        reinstall(id) {
          const installing = environments.reinstall(id)
          return installing && installing.then(() => supervisor.restart(id))
        },
      }),
    ],
    filters: createChooseFilters(taking),
    outlet: createOutlet(taking),
    actions: createRunAction({ ...taking, saveMessage }),
    open(request, { tool_ids: ids }) {
      if (!Array.isArray(ids) || ids.length === 0) return null
      return createBelt([
        ...offerTools(context, request, ids, request.resolved.entry),
        ...offerBuiltIn(builtIn, traces, request, ids),
      ])
    },
    traceCalls: (origin, belt) => traceCalls({ traces, isOwn, origin }, belt),
    trace: (about, work) => traceWork(traces, about, work),
    fence: runtime,
    describeModel: createDescribeModel(records),
    models: createPipeModels({ records, runner, openTools: dependencies.openTools, log }),
    resume(address = listeningAt) {
      listeningAt = address
      mkdirSync(folder, { recursive: true })
      // Folders of workers of the last run.
      rmSync(path.join(folder, 'workers'), { recursive: true, force: true })
      records.reload()
      runtime.resume()
    },
    close: () => runtime.close(),
  }
}

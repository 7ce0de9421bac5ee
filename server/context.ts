import { createAccess, type Access } from './access/index.ts'
import { createAuth, createRequirePermitted, type Auth } from './auth/index.ts'
import { createChats, type Chats } from './chats/index.ts'
import { createCompletions, type Completions } from './completions/index.ts'
import type { Config } from './config/config.ts'
import { createEvaluations, type Evaluations } from './evaluations/index.ts'
import { createEvents, type Events } from './events/index.ts'
import { createFiles, type Files } from './files/index.ts'
import { createGroups, type Groups } from './groups/index.ts'
import type { Route, ServeOptions } from './lib/http.ts'
import type { Logger } from './lib/logger.ts'
import { createMemories, type Memories } from './memories/index.ts'
import { createModels, type Models } from './models/index.ts'
import { createNotes, type Notes } from './notes/index.ts'
import { createPrompts, type Prompts } from './prompts/index.ts'
import { createProviders, type Providers } from './providers/index.ts'
import { createRequestLog, type RequestLog } from './requests/index.ts'
import { createExtraction, createRetrieval, type Extraction, type Retrieval } from './retrieval/index.ts'
import { createSettings, type Settings } from './settings/index.ts'
import type { Storage } from './storage/index.ts'
import type { Secrets } from './storage/secrets.ts'
import { createRuntimeProxy, type RuntimeProxy } from './runtime-proxy/index.ts'
import { createTaskRoutes, createTasks, type Tasks } from './tasks/index.ts'
import { createUserRoutes, createUsers, type Users } from './users/index.ts'

/** What the domains are built from. */
export interface Foundation {
  readonly config: Config
  readonly storage: Storage
  readonly secrets: Secrets
  readonly log: Logger
}

/** Every domain of the gateway, ready to serve. */
export interface Context extends Foundation {
  readonly settings: Settings
  readonly users: Users
  readonly groups: Groups
  readonly access: Access
  readonly auth: Auth
  readonly requests: RequestLog
  readonly events: Events
  readonly tasks: Tasks
  readonly chats: Chats
  readonly prompts: Prompts
  readonly memories: Memories
  readonly notes: Notes
  readonly providers: Providers
  readonly extraction: Extraction
  readonly retrieval: Retrieval
  readonly files: Files
  readonly models: Models
  readonly evaluations: Evaluations
  readonly runtimeProxy: RuntimeProxy
  readonly completions: Completions
  /** See `ServeOptions`. */
  readonly requirePermitted: ServeOptions['requirePermitted']
  /** The routes of all domains except those of the application itself. */
  readonly routes: readonly Route[]
}

/** Builds the domains in the order of their folders. */
export function createContext(foundation: Foundation): Context {
  const { config, log, secrets, storage } = foundation
  const settings = createSettings({ storage, secrets, config })
  const users = createUsers({ storage, log })
  const groups = createGroups({ storage, settings, users, config })
  const access = createAccess({ storage, groups, users })
  const auth = createAuth({ storage, settings, secrets, users, groups, config, log })
  const requests = createRequestLog({ settings, auth })
  const events = createEvents({ auth, log })
  const tasks = createTasks()
  const chats = createChats({ storage, events, tasks, access, groups, dataDir: config.dataDir })
  const prompts = createPrompts({ storage, access, users })
  const memories = createMemories({ storage })
  const notes = createNotes({ storage, access, users })
  const providers = createProviders({ storage, settings, secrets, config, log })
  const extraction = createExtraction({ timeLimit: () => settings.integer('CONTENT_EXTRACTION_TIMEOUT') * 1000 })
  const retrieval = createRetrieval({ storage, settings, providers, log })
  const files = createFiles({ storage, settings, users, events, extraction, retrieval, dataDir: config.dataDir, log })
  const models = createModels({ storage, settings, users, groups, access, auth, providers })
  const evaluations = createEvaluations({ storage, users })
  const runtimeProxy = createRuntimeProxy({ providers, models, settings, auth, temporaryFolder: config.dataDir })
  const completions = createCompletions({
    models,
    chats,
    tasks,
    events,
    settings,
    groups,
    memories,
    log,
    usage: {
      isCounted: ({ keyId }) => keyId !== null && auth.hasTokenCap(keyId),
      count: ({ keyId }, tokens) => {
        if (keyId !== null) auth.countUsage(keyId, tokens.total_tokens)
      },
    },
  })
  users.onSessionsRevoked((userId) => {
    if (users.get(userId)) return
    for (const task of tasks.list()) if (task.userId === userId) tasks.stop(task.id, 'deleted')
  })
  const routes = [
    ...settings.routes,
    ...groups.routes,
    ...createUserRoutes({ users, groups, settings }),
    ...auth.routes,
    ...requests.routes,
    ...createTaskRoutes(tasks, (chatId) => chats.ownerOf(chatId)),
    ...chats.routes,
    ...prompts.routes,
    ...memories.routes,
    ...notes.routes,
    ...providers.routes,
    ...files.routes,
    ...models.routes,
    ...evaluations.routes,
    ...runtimeProxy.routes,
    ...completions.routes,
    ...runtimeProxy.lastRoutes,
  ]
  const requirePermitted = createRequirePermitted({ settings, groups })
  return {
    ...foundation,
    settings,
    users,
    groups,
    access,
    auth,
    requests,
    events,
    tasks,
    chats,
    prompts,
    memories,
    notes,
    providers,
    extraction,
    retrieval,
    files,
    models,
    evaluations,
    runtimeProxy,
    completions,
    requirePermitted,
    routes,
  }
}

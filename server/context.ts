import { Access } from './access/index.ts'
import { Artifacts, createArtifactRoutes } from './artifacts/index.ts'
import { Audio } from './audio/index.ts'
import { Automations } from './automations/index.ts'
import { createAnalytics } from './analytics/index.ts'
import { Auth, createRequirePermitted } from './auth/index.ts'
import { Calendars } from './calendars/index.ts'
import { Channels } from './channels/index.ts'
import { Chats } from './chats/index.ts'
import { Code } from './code/index.ts'
import {
  createCompletions,
  createKeyUsage,
  createLibrary,
  joinFilters,
} from './completions/index.ts'
import { createDocuments } from './documents/index.ts'
import { Engine } from './engine/index.ts'
import { createEvaluations } from './evaluations/index.ts'
import { Events } from './events/index.ts'
import { createFileShelf } from './files/index.ts'
import { SocketIo } from './socket-io/index.ts'
import { Groups, createGroupRoutes, createPreviewRoute, type FindShared } from './groups/index.ts'
import { Images } from './images/index.ts'
import { GuardedFetch } from './lib/outgoing/guarded-fetch.ts'
import type { Route } from './lib/http.ts'
import { mapInOrder } from './lib/in-order.ts'
import type { Foundation } from './live/index.ts'
import { Memories, createMemoryRoutes } from './memories/index.ts'
import { Models } from './models/index.ts'
import { Notes, createNoteRoutes } from './notes/index.ts'
import { createOutgoingRoutes, findOwnServers, Outgoing } from './outgoing/index.ts'
import { Pipelines } from './pipelines/index.ts'
import { Plugins } from './plugins/index.ts'
import { Checker, createCheckRoutes } from './prompt-checks/index.ts'
import { createPromptLibrary, createPromptRoutes, Prompts } from './prompts/index.ts'
import { Providers } from './providers/index.ts'
import { createRequestRoutes, RequestLog } from './requests/index.ts'
import { readFetchPolicy } from './retrieval/index.ts'
import { createScim } from './scim/index.ts'
import { createSharingRoutes, Sharing } from './sharing/index.ts'
import { GatewaySettings, settingsRoutes } from './settings/index.ts'
import { withSqliteOnly } from './storage/only-on-sqlite.ts'
import { createRendering } from './rendering/index.ts'
import { RuntimeProxy } from './runtime-proxy/index.ts'
import { Tools } from './tools/index.ts'
import { createSkillRoutes, Skills } from './skills/index.ts'
import { createTimeMachineRoutes, TimeMachine } from './time-machine/index.ts'
import { createTaskRoutes, Tasks, stopTasksOfBarred } from './tasks/index.ts'
import { createPasswordRule, createUserRoutes, Users } from './users/index.ts'
import {
  createAnswerNotices,
  createChatNews,
  readWebhookAddress,
  writeWebhookAddress,
  Webhooks,
  type WebhooksDependencies,
  createWebhookRoutes,
} from './webhooks/index.ts'

/** All domains of the gateway, ready to serve. */
export type Context = Awaited<ReturnType<typeof createContext>>

const NO_TIME_MACHINE =
  'The time machine works on SQLite only; make backups with pg_dump, often enough to go back to.'
const WEBHOOK_LIMITS = { timeoutMilliseconds: 5000, maximumBytes: 64 * 1024 }

/** Creates the module that announces events to external receivers. */
function createAnnouncing(
  foundation: Foundation,
  {
    settings,
    users,
    readAnswer,
  }: Pick<WebhooksDependencies, 'readAnswer' | 'settings'> & { readonly users: Users },
): Webhooks {
  const policy = () => ({ ...readFetchPolicy(settings), ...WEBHOOK_LIMITS })
  const purpose = { kind: 'webhook' } as const
  const { apiVersion: api, productVersion: product } = foundation.config
  const webhooks = new Webhooks({
    ...foundation,
    settings,
    // The gateway's URL is set by an administrator, who may have the receiver on the local network.
    fetch: {
      gateway: new GuardedFetch(policy, { purpose, isChosen: true }),
      people: new GuardedFetch(policy, { purpose }),
    },
    // Accounts that are pending or were disabled receive no further notices.
    address: async (userId) =>
      (await users.get(userId))?.role === 'pending' ? '' : await readWebhookAddress(users, userId),
    setAddress: (userId, url) => writeWebhookAddress(users, userId, url),
    readAnswer,
    person: (userId) => users.get(userId),
    versions: { api, product },
  })
  users.onCreated(async (user, { isRegistration }) => {
    if (isRegistration) await webhooks.tellNewUser(user)
    await webhooks.events.tellNewUser(user, isRegistration)
  })
  return webhooks
}

/** Creates the domains of users and their permissions, and of their tasks. */
async function createPeople(foundation: Foundation) {
  const { config, live, log, secrets, storage } = foundation
  const settings = await GatewaySettings.open({ storage, secrets, config })
  const outgoing = new Outgoing({
    storage,
    settings,
    log,
    environment: config.environment,
    isDesktop: config.mode === 'desktop',
    ownServers: findOwnServers(config),
  })
  if (live?.replicas.isAlone ?? true) await outgoing.load()
  const users = new Users({ storage, log, checkPassword: createPasswordRule(settings) })
  await users.load()
  const groups = new Groups({ storage, settings, users, config })
  const access = new Access({ storage, groups, users })
  const auth = new Auth({ storage, settings, secrets, users, groups, config, live, log })
  const sharing = new Sharing({ storage, settings, secrets, users, auth, log, live })
  await sharing.load()
  const requests = new RequestLog({ settings, auth })
  const events = new Events({ auth, settings, live, log })
  const tasks = new Tasks(live)
  const requirePermitted = createRequirePermitted({ settings, groups, users })
  const people = { settings, outgoing, users, groups, access, auth, sharing, requests }
  return { ...foundation, ...people, events, tasks, requirePermitted }
}

/** Creates the domains of user content, and of announcements outside the gateway. */
async function createWriting(people: Awaited<ReturnType<typeof createPeople>>) {
  const { config, live, storage, settings, users, groups, access, auth, events, tasks } = people
  const { secrets } = people
  const prompts = new Prompts({ storage, access, users })
  const chats = await Chats.open({
    storage,
    events,
    tasks,
    access,
    groups,
    dataDir: config.dataDir,
    live,
    isAlone: live?.replicas.isAlone ?? true,
    programs: {
      environment: config.environment,
      isLocal: (request) => auth.peers.isLocal(request),
    },
    promptLibrary: createPromptLibrary(prompts),
    mostMessages: () => settings.get('CHAT_SAVE_MAX_MESSAGES'),
    mostChanges: () => settings.get('CHAT_SAVE_MAX_CHANGES'),
    recordBounds: () => ({
      values: settings.get('JSON_RECORD_MAX_VALUES'),
      characters: settings.get('JSON_RECORD_MAX_CHARACTERS'),
    }),
    mostEventCharacters: () => settings.get('MESSAGE_EVENTS_MAX_CHARACTERS'),
  })
  const webhooks = createAnnouncing(people, {
    settings,
    users,
    readAnswer: async (chatId, messageId) => {
      const message =
        (await chats.ownerOf(chatId)) === null ? null : await chats.message(chatId, messageId)
      return message && { title: await chats.title(chatId), text: message.content }
    },
  })
  const artifacts = new Artifacts({ storage, settings, secrets, chats })
  const skills = new Skills({ storage, access, users })
  const notes = new Notes({
    storage,
    access,
    users,
    bounds: () => ({
      values: settings.get('JSON_RECORD_MAX_VALUES'),
      characters: settings.get('NOTE_MAX_CHARACTERS'),
    }),
  })
  return { ...people, chats, artifacts, webhooks, prompts, skills, notes }
}

/** Creates the model providers, and the sources that answers may use. */
async function createSources(writing: Awaited<ReturnType<typeof createWriting>>) {
  const { config, live, log, secrets, storage, settings, users, groups, events, chats } = writing
  const engine = new Engine({ config, settings, log })
  const providers = new Providers({ storage, settings, secrets, config, log, builtIn: engine })
  const audio = new Audio({ settings, groups, users, dataDir: config.dataDir, engine, log })
  await audio.tidy()
  // User-supplied URLs are fetched with guards; those an administrator configured through
  // `lib/outgoing/`.
  const { routes: documentRoutes, ...documents } = createDocuments({
    ...writing,
    providers,
    audio,
  })
  const { files, knowledge, retrieval } = documents
  chats.setFileShelf(createFileShelf(files))
  chats.setAttachmentCheck((...given) => knowledge.checkAttached(...given))
  // Files of a shared chat may be read by every user who may open the link.
  files.addReadRule(async (userId, fileId) => {
    const file = await files.find(fileId)
    return file !== null && (await chats.sharesFile({ userId, role: 'user' }, file.user_id, fileId))
  })
  const memories = new Memories({
    storage,
    settings,
    embed: (...given) => retrieval.embed(...given),
  })
  const images = new Images({ storage, settings, groups, files, events, users, live })
  return { ...writing, engine, providers, audio, ...documents, documentRoutes, memories, images }
}

/** Creates plugins, models, and the servers that offer tools and filters. */
function createExtensions(sources: Awaited<ReturnType<typeof createSources>>) {
  const { config, log, secrets, storage, settings, users, groups, access, auth } = sources
  const { sharing, events, chats, guardedFetch, knowledge, providers } = sources
  const plugins = new Plugins({
    storage,
    secrets,
    settings,
    users,
    access,
    groups,
    config,
    guardedFetch,
    programs: sources.outgoing.programs,
    log,
    chats,
    events,
    builtIn: sources,
    host: sources,
    issueCallToken: (...given) => auth.callTokens.issue(...given),
    providerTokens: (caller) => auth.singleSignOn.sessions.tokensOf(caller),
  })
  const code = new Code({ ...sources, fence: plugins.fence })
  providers.offer(plugins.models)
  const models = new Models({
    storage,
    settings,
    users,
    groups,
    access,
    auth,
    providers,
    checkAttached: (...given) => knowledge.checkAttached(...given),
    describeModel: (...given) => plugins.describeModel(...given),
    lentTo: (userId) => sharing.passes.lentTo(userId),
  })
  sources.uses.connect({ chats, knowledge, models })
  const runtimeProxy = new RuntimeProxy({
    providers,
    models,
    settings,
    auth,
    temporaryFolder: config.dataDir,
  })
  const pipelines = new Pipelines({
    providers,
    models,
    dataDir: config.dataDir,
    log,
    trace: (...given) => plugins.trace(...given),
  })
  return { ...sources, plugins, code, models, runtimeProxy, pipelines }
}

/**
 * Creates the tools of requests: those of servers, those of plugins and those of the gateway
 * itself.
 */
function createTools(extensions: ReturnType<typeof createExtensions>) {
  const { config, log, secrets, storage, settings, users, groups, access, auth } = extensions
  const { sharing, files, guardedFetch, plugins, live } = extensions
  const toolServers = new Tools({
    storage,
    live,
    secrets,
    settings,
    users,
    groups,
    access,
    files,
    guardedFetch,
    config,
    log,
    providerTokens: (caller) => auth.singleSignOn.sessions.tokensOf(caller),
    openPlugins: (...given) => plugins.open(...given),
    watchProgram: (...given) => plugins.watchProgram(...given),
  })
  // Tools reach beyond a conversation, whatever their origin, so guests get none.
  const openTools: Tools['open'] = sharing.passes.keptFromGuests((origin, request) => {
    const opening = toolServers.open(origin, request)
    return opening?.then((belt) => belt && plugins.traceCalls(origin, belt)) ?? null
  })
  return { ...extensions, toolServers, openTools }
}

/** Creates the answers of models, and the modules that request them besides windows. */
async function createAnswering(tools: ReturnType<typeof createTools>) {
  const { storage, settings, users, groups, auth, sharing, tasks, events, log } = tools
  const { chats, webhooks, memories, skills, images, models, plugins, pipelines, code } = tools
  const completions = createCompletions({
    models,
    chats,
    chatNews: createChatNews(webhooks),
    tasks,
    events,
    settings,
    groups,
    memories,
    skills,
    people: users.profiles,
    log,
    library: createLibrary(tools),
    images,
    // Filters of pipelines servers run before functions, both before and after the answer
    // (docs/plugin-contract.md).
    filters: joinFilters((context) => pipelines.filters(context), plugins.filters),
    pipes: (context) => pipelines.pipe(context),
    taskFilters: (context) => pipelines.filters(context),
    outlets: [
      {
        takesPart: (finished) => pipelines.takesPart(finished),
        run: (...given) => pipelines.outlet(...given),
      },
      plugins.outlet,
    ],
    actions: plugins.actions,
    usage: createKeyUsage(auth),
    countMessages: ({ userId }, messages) => sharing.passes.countMessages(userId, messages),
    notices: createAnswerNotices(storage, webhooks, (userId) => events.isFocused(userId)),
    tools: tools.openTools,
    code,
  })
  const channels = await Channels.open({ ...tools, completions })
  channels.follow(tools.files)
  const automations = new Automations({ ...tools, completions })
  const calendars = new Calendars({ ...tools, notices: events, automations })
  return { ...tools, completions, channels, automations, calendars }
}

type Rooms = Awaited<ReturnType<typeof createAnswering>> & { readonly timeMachine: TimeMachine }

/** Creates the function that finds what is shared with a group, for administrators. */
const createFindShared =
  ({ access, models, knowledge, plugins }: Rooms): FindShared =>
  async (caller, groupId) => {
    const [modelIds, knowledgeIds, toolIds] = await mapInOrder(
      ['model', 'knowledge', 'tool'] as const,
      (type) => access.sharedWith(groupId, type),
    )
    const collections = await mapInOrder([...knowledgeIds!], (id) => knowledge.get(caller, id))
    const byName = <Item extends { id: string; name: string }>(items: readonly Item[]) =>
      items
        .map(({ id, name }) => ({ id, name }))
        .toSorted((one, other) => one.name.localeCompare(other.name))
    return {
      models: byName((await models.list(caller)).filter(({ id }) => modelIds!.has(id))),
      knowledge: byName(collections.filter((each) => each !== null)),
      tools: byName(plugins.namesOf(toolIds!)),
    }
  }

/** Creates the routes of all domains. If two match a call, the first one handles it. */
function createRoutes(rooms: Rooms): readonly Route[] {
  const { storage, settings, users, groups, auth, sharing, webhooks, chats, prompts } = rooms
  const { completions, runtimeProxy } = rooms
  return webhooks.events.follow([
    ...settingsRoutes(settings),
    ...createOutgoingRoutes(rooms.outgoing),
    ...createWebhookRoutes(webhooks),
    ...createGroupRoutes(groups, users),
    createPreviewRoute(groups, createFindShared(rooms)),
    ...createUserRoutes({ users, groups, settings }),
    ...auth.routes,
    ...createSharingRoutes({ sharing, auth }),
    ...createScim({ storage, settings, users, groups }),
    ...createRequestRoutes(rooms.requests),
    ...createTaskRoutes(rooms.tasks, chats),
    ...chats.routes,
    ...createArtifactRoutes(rooms.artifacts),
    ...createPromptRoutes(prompts),
    ...createSkillRoutes(rooms.skills),
    ...createMemoryRoutes(rooms.memories),
    ...createNoteRoutes(rooms.notes),
    ...rooms.channels.routes,
    ...rooms.engine.routes,
    ...rooms.providers.routes,
    ...rooms.documentRoutes,
    ...rooms.images.routes,
    ...rooms.audio.routes,
    ...rooms.plugins.routes,
    ...rooms.code.routes,
    ...rooms.models.routes,
    ...createEvaluations(storage, users),
    ...createAnalytics(storage, () => settings.get('MODEL_PRICES')),
    ...runtimeProxy.routes,
    ...rooms.toolServers.routes,
    ...rooms.pipelines.routes,
    ...completions.routes,
    ...createCheckRoutes(new Checker({ storage, prompts, settings, ...completions.askModel })),
    ...rooms.automations.routes,
    ...rooms.calendars.routes,
    ...createRendering().routes,
    ...withSqliteOnly(storage, createTimeMachineRoutes(rooms.timeMachine), NO_TIME_MACHINE),
    ...runtimeProxy.lastRoutes,
  ])
}

/** Builds the domains in the order of their folders; each depends only on those built before it. */
export async function createContext(foundation: Foundation) {
  const people = await createPeople(foundation)
  const writing = await createWriting(people)
  const sources = await createSources(writing)
  const extensions = createExtensions(sources)
  const tools = createTools(extensions)
  const answering = await createAnswering(tools)
  const timeMachine = new TimeMachine(answering)
  const routes = createRoutes({ ...answering, timeMachine })
  const { users, tasks, webhooks, providers, models, plugins, toolServers } = answering
  const { completions, openTools } = answering
  const { askModel } = completions
  plugins.later.connect({ models, askModel, openTools, toolServers: toolServers.reach, routes })
  stopTasksOfBarred(users, tasks)
  for (const each of [webhooks, providers, plugins, models, toolServers]) await each.load()
  return { ...answering, socketIo: new SocketIo(answering), timeMachine, routes }
}

import { analyticsEndpoints } from './analytics.ts'
import { artifactEndpoints } from './artifacts.ts'
import { audioEndpoints } from './audio.ts'
import { authEndpoints } from './auths.ts'
import { automationEndpoints } from './automations.ts'
import { backupEndpoints } from './backups.ts'
import { calendarEndpoints } from './calendars.ts'
import { channelEndpoints } from './channels.ts'
import { chatListEndpoints } from './chat-lists.ts'
import { chatSharingEndpoints } from './chat-sharing.ts'
import { chatEndpoints } from './chats.ts'
import { codeEndpoints } from './code.ts'
import { compatibleProxyEndpoints, passThroughEndpoints } from './compatible-proxy.ts'
import { completionEndpoints } from './completions.ts'
import { configEndpoints } from './configs.ts'
import { connectionEndpoints } from './connections.ts'
import { doctorEndpoints } from './doctor.ts'
import { engineEndpoints } from './engine.ts'
import { deletionEndpoints } from './deletions.ts'
import { embeddingEndpoints } from './embeddings.ts'
import type { AnyEndpoint } from './endpoint.ts'
import { eventWebhookEndpoints } from './event-webhooks.ts'
import { evaluationEndpoints } from './evaluations.ts'
import { fileEndpoints } from './files.ts'
import { functionEndpoints } from './functions.ts'
import { generationEndpoints } from './generation.ts'
import { groupEndpoints } from './groups.ts'
import { knowledgeFileEndpoints } from './knowledge-files.ts'
import { knowledgeEndpoints } from './knowledge.ts'
import { ldapEndpoints } from './ldap.ts'
import { memoryEndpoints } from './memories.ts'
import { messagesEndpoints } from './messages.ts'
import { folderEndpoints } from './folders.ts'
import { imageDialectEndpoints, imageEndpoints } from './images.ts'
import { importEndpoints } from './imports.ts'
import { modelEndpoints } from './models.ts'
import { noteEndpoints } from './notes.ts'
import { oauthEndpoints } from './oauth.ts'
import { outgoingEndpoints } from './outgoing-connections.ts'
import { pluginEndpoints } from './plugins.ts'
import { pipelineEndpoints } from './pipelines.ts'
import { programEndpoints } from './programs.ts'
import { promptCheckEndpoints } from './prompt-checks.ts'
import { promptEndpoints } from './prompts.ts'
import { requestEndpoints } from './requests.ts'
import { retrievalEngineEndpoints } from './retrieval-engine.ts'
import { retrievalEndpoints } from './retrieval.ts'
import { responsesEndpoints } from './responses.ts'
import { runtimeProxyEndpoints } from './runtime-proxy.ts'
import { scimEndpoints } from './scim.ts'
import { settingEndpoints } from './settings.ts'
import { sharingEndpoints } from './sharing.ts'
import { skillEndpoints } from './skills.ts'
import { systemEndpoints } from './system.ts'
import { textCompletionEndpoints } from './text-completions.ts'
import { toolEndpoints } from './tools.ts'
import { timeMachineEndpoints } from './time-machine.ts'
import { toolServerEndpoints } from './tool-servers.ts'
import { userEndpoints } from './users.ts'
import { utilsEndpoints } from './utils.ts'
import { webhookEndpoints } from './webhooks.ts'

/** Explicit type, because the compiler fails to infer one this large. */
interface EndpointTable {
  readonly system: typeof systemEndpoints
  readonly auths: typeof authEndpoints
  readonly ldap: typeof ldapEndpoints
  readonly oauth: typeof oauthEndpoints
  readonly sharing: typeof sharingEndpoints
  readonly outgoing: typeof outgoingEndpoints
  readonly users: typeof userEndpoints
  readonly utils: typeof utilsEndpoints
  readonly code: typeof codeEndpoints
  readonly groups: typeof groupEndpoints
  readonly imports: typeof importEndpoints
  readonly folders: typeof folderEndpoints
  readonly chats: typeof chatListEndpoints & typeof chatEndpoints & typeof chatSharingEndpoints
  readonly artifacts: typeof artifactEndpoints
  readonly models: typeof modelEndpoints
  readonly evaluations: typeof evaluationEndpoints
  readonly analytics: typeof analyticsEndpoints
  readonly doctor: typeof doctorEndpoints
  readonly connections: typeof connectionEndpoints
  readonly engine: typeof engineEndpoints
  readonly runtimeProxy: typeof runtimeProxyEndpoints
  readonly compatibleProxy: typeof compatibleProxyEndpoints
  readonly embeddings: typeof embeddingEndpoints
  readonly completions: typeof completionEndpoints
  readonly textCompletions: typeof textCompletionEndpoints
  readonly generation: typeof generationEndpoints
  readonly messages: typeof messagesEndpoints
  readonly responses: typeof responsesEndpoints
  readonly prompts: typeof promptEndpoints
  readonly promptChecks: typeof promptCheckEndpoints
  readonly skills: typeof skillEndpoints
  readonly memories: typeof memoryEndpoints
  readonly notes: typeof noteEndpoints
  readonly channels: typeof channelEndpoints
  readonly automations: typeof automationEndpoints
  readonly calendars: typeof calendarEndpoints
  readonly files: typeof fileEndpoints
  readonly images: typeof imageEndpoints & typeof imageDialectEndpoints
  readonly audio: typeof audioEndpoints
  readonly knowledge: typeof knowledgeEndpoints & typeof knowledgeFileEndpoints
  readonly retrieval: typeof retrievalEndpoints & typeof retrievalEngineEndpoints
  readonly tools: typeof toolEndpoints
  readonly functions: typeof functionEndpoints
  readonly plugins: typeof pluginEndpoints
  readonly programs: typeof programEndpoints
  readonly requests: typeof requestEndpoints
  readonly backups: typeof backupEndpoints
  readonly timeMachine: typeof timeMachineEndpoints
  readonly deletions: typeof deletionEndpoints
  readonly settings: typeof settingEndpoints
  readonly configs: typeof configEndpoints
  readonly webhooks: typeof webhookEndpoints
  readonly eventWebhooks: typeof eventWebhookEndpoints
  readonly scim: typeof scimEndpoints
  readonly toolServers: typeof toolServerEndpoints
  readonly pipelines: typeof pipelineEndpoints
  readonly passThrough: typeof passThroughEndpoints
}

/**
 * All endpoints of the gateway by domain: the single table for routing, client, documents, key
 * allow-list and tests.
 */
export const endpoints: EndpointTable = Object.freeze({
  system: systemEndpoints,
  auths: authEndpoints,
  ldap: ldapEndpoints,
  oauth: oauthEndpoints,
  sharing: sharingEndpoints,
  outgoing: outgoingEndpoints,
  users: userEndpoints,
  utils: utilsEndpoints,
  code: codeEndpoints,
  groups: groupEndpoints,
  // Names such as `import` would match the id of a chat, so they come first.
  imports: importEndpoints,
  folders: folderEndpoints,
  chats: { ...chatListEndpoints, ...chatEndpoints, ...chatSharingEndpoints },
  artifacts: artifactEndpoints,
  models: modelEndpoints,
  evaluations: evaluationEndpoints,
  analytics: analyticsEndpoints,
  // `examine` would match the id of a connection, so it comes first.
  doctor: doctorEndpoints,
  connections: connectionEndpoints,
  engine: engineEndpoints,
  runtimeProxy: runtimeProxyEndpoints,
  compatibleProxy: compatibleProxyEndpoints,
  embeddings: embeddingEndpoints,
  completions: completionEndpoints,
  textCompletions: textCompletionEndpoints,
  generation: generationEndpoints,
  messages: messagesEndpoints,
  responses: responsesEndpoints,
  prompts: promptEndpoints,
  promptChecks: promptCheckEndpoints,
  skills: skillEndpoints,
  memories: memoryEndpoints,
  notes: noteEndpoints,
  channels: channelEndpoints,
  automations: automationEndpoints,
  calendars: calendarEndpoints,
  files: fileEndpoints,
  images: { ...imageEndpoints, ...imageDialectEndpoints },
  audio: audioEndpoints,
  // `search/files` would match the files of a collection, so it comes first.
  knowledge: { ...knowledgeEndpoints, ...knowledgeFileEndpoints },
  retrieval: { ...retrievalEndpoints, ...retrievalEngineEndpoints },
  tools: toolEndpoints,
  functions: functionEndpoints,
  plugins: pluginEndpoints,
  programs: programEndpoints,
  requests: requestEndpoints,
  backups: backupEndpoints,
  timeMachine: timeMachineEndpoints,
  deletions: deletionEndpoints,
  settings: settingEndpoints,
  configs: configEndpoints,
  webhooks: webhookEndpoints,
  eventWebhooks: eventWebhookEndpoints,
  scim: scimEndpoints,
  toolServers: toolServerEndpoints,
  pipelines: pipelineEndpoints,
  // Matches every other path below /openai, so it comes last.
  passThrough: passThroughEndpoints,
})

/** All endpoints as a flat list, in the order routes are matched. */
export const allEndpoints: readonly AnyEndpoint[] = Object.freeze(
  Object.values(endpoints).flatMap((domain) => Object.values<AnyEndpoint>(domain)),
)

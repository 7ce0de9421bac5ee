import { migration as settings } from './0001-settings.ts'
import { migration as users } from './0002-users.ts'
import { migration as connections } from './0003-connections.ts'
import { migration as chats } from './0004-chats.ts'
import { migration as groupsAndAccess } from './0005-groups-access.ts'
import { migration as models } from './0006-models.ts'
import { migration as chatOrganisation } from './0007-chat-organisation.ts'
import { migration as promptsMemoriesNotes } from './0008-prompts-memories-notes.ts'
import { migration as apiKeyExtras } from './0009-api-key-extras.ts'
import { migration as connectionKinds } from './0010-connection-kinds.ts'
import { migration as evaluations } from './0011-evaluations.ts'
import { migration as trash } from './0012-trash.ts'
import { migration as ownedThings } from './0013-owned-things.ts'
import { migration as retrieval } from './0014-retrieval.ts'
import { migration as files } from './0015-files.ts'
import { migration as knowledge } from './0016-knowledge.ts'
import { migration as plugins } from './0017-plugins.ts'
import { migration as toolServers } from './0018-tool-servers.ts'
import { migration as connectionMemory } from './0019-connection-memory.ts'
import { migration as browserSessions } from './0020-browser-sessions.ts'
import { migration as deletions } from './0021-deletions.ts'
import { migration as pluginAuthors } from './0022-plugin-authors.ts'
import { migration as knownPlaces } from './0023-known-places.ts'
import { migration as changedTexts } from './0024-changed-texts.ts'
import { migration as partsOfIndexes } from './0025-parts-of-indexes.ts'
import { migration as grantRecords } from './0026-grant-records.ts'
import { migration as pinnedNotes } from './0027-pinned-notes.ts'
import { migration as directoryMakers } from './0028-directory-makers.ts'
import { migration as connectionType } from './0029-connection-type.ts'
import { migration as webhooks } from './0030-webhooks.ts'
import { migration as scim } from './0031-scim.ts'
import { migration as singleSignOn } from './0032-single-sign-on.ts'
import { migration as channels } from './0033-channels.ts'
import { migration as sharedPieces } from './0034-shared-pieces.ts'
import { migration as eventWebhooks } from './0035-event-webhooks.ts'
import { migration as pictures } from './0036-pictures.ts'
import { migration as connectionAccess } from './0037-connection-access.ts'
import { migration as starredMessages } from './0038-starred-messages.ts'
import { migration as picturePreviews } from './0039-picture-previews.ts'
import { migration as sharing } from './0040-sharing.ts'
import { migration as importRuns } from './0041-import-runs.ts'
import { migration as outgoing } from './0042-outgoing.ts'
import { migration as skills } from './0043-skills.ts'
import { migration as analytics } from './0044-analytics.ts'
import { migration as proxies } from './0045-proxies.ts'
import { migration as automations } from './0046-automations.ts'
import { migration as calendars } from './0047-calendars.ts'
import { migration as blobUploads } from './0048-blob-uploads.ts'
import { migration as documentsOnPostgres } from './0049-documents-on-postgres.ts'
import { migration as replicas } from './0050-replicas.ts'
import { migration as indexMakers } from './0051-index-makers.ts'
import { migration as readableJson } from './0052-readable-json.ts'
import { migration as artifactNetworks } from './0053-artifact-networks.ts'
import { migration as eventReminders } from './0054-event-reminders.ts'
import { migration as pendingFlows } from './0055-pending-flows.ts'
import { migration as anyConnectionKind } from './0056-any-connection-kind.ts'
import { migration as importPrompts } from './0057-import-prompts.ts'
import { migration as countedAnswers } from './0058-counted-answers.ts'
import { migration as keptTokens } from './0059-kept-tokens.ts'
import type { Migration } from './migration.ts'

/** All steps in the order they are applied. */
export const migrations: readonly Migration[] = [
  settings,
  users,
  connections,
  chats,
  groupsAndAccess,
  models,
  chatOrganisation,
  promptsMemoriesNotes,
  apiKeyExtras,
  connectionKinds,
  evaluations,
  trash,
  ownedThings,
  retrieval,
  files,
  knowledge,
  plugins,
  toolServers,
  connectionMemory,
  browserSessions,
  deletions,
  pluginAuthors,
  knownPlaces,
  changedTexts,
  partsOfIndexes,
  grantRecords,
  pinnedNotes,
  directoryMakers,
  connectionType,
  webhooks,
  scim,
  singleSignOn,
  channels,
  sharedPieces,
  eventWebhooks,
  pictures,
  connectionAccess,
  starredMessages,
  picturePreviews,
  sharing,
  importRuns,
  outgoing,
  skills,
  analytics,
  proxies,
  automations,
  calendars,
  blobUploads,
  documentsOnPostgres,
  replicas,
  indexMakers,
  readableJson,
  artifactNetworks,
  eventReminders,
  pendingFlows,
  anyConnectionKind,
  importPrompts,
  countedAnswers,
  keptTokens,
]

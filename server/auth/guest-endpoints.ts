import { endpoints } from '#contract/endpoints.ts'
import type { AnyEndpoint } from '#contract/endpoint.ts'

const { auths, chats, completions, configs, files, folders, generation } = endpoints
const { functions, models, oauth, prompts, sharing, system, users } = endpoints

/**
 * Endpoints open to guests: those a conversation needs, and those the UI calls on start. New
 * endpoints are closed to guests until they are listed here.
 */
const OF_GUESTS: readonly AnyEndpoint[] = [
  system.versionUpdates,
  system.changelog,
  auths.session,
  auths.updateTimezone,
  oauth.sessions,
  users.groups,
  users.permissions,
  users.settings,
  users.updateSettings,
  users.ownInfo,
  users.updateOwnInfo,
  configs.banners,
  folders.list,
  folders.trash,
  chats.archived,
  chats.starred,
  chats.trash,
  chats.moveToTrash,
  chats.emptyTrash,
  chats.erase,
  chats.allTags,
  chats.byTag,
  chats.archiveAll,
  chats.unarchiveAll,
  chats.removeAll,
  chats.tags,
  chats.addTag,
  chats.removeTag,
  chats.removeTags,
  chats.list,
  chats.search,
  chats.pinned,
  chats.create,
  chats.get,
  chats.update,
  chats.remove,
  chats.restore,
  chats.pin,
  chats.branch,
  chats.updateMessage,
  chats.removeMessage,
  chats.isPinned,
  chats.archive,
  chats.read,
  chats.unread,
  chats.clone,
  chats.fork,
  models.list,
  models.one,
  models.defaults,
  models.prices,
  models.profileImage,
  completions.chatCompletions,
  completions.completed,
  completions.stopTask,
  completions.chatTasks,
  completions.stopChatTasks,
  generation.config,
  generation.activeChats,
  prompts.list,
  functions.list,
  files.get,
  files.content,
  files.namedContent,
  sharing.ownPass,
]

const IDS: ReadonlySet<string> = new Set(OF_GUESTS.map(({ id }) => id))

/** Returns true if guests may call an endpoint: one of these, or one that needs no account. */
export const isForGuests = ({ id, auth }: AnyEndpoint): boolean => auth === 'none' || IDS.has(id)

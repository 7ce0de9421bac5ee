import path from 'node:path'
import type {
  BranchPage,
  Chat,
  ChatBodyInput,
  ChatListItem,
  ChatSearchHit,
  Message,
} from '#contract/chats.ts'
import type { Access } from '../access/index.ts'
import type { Events } from '../events/index.ts'
import type { Groups } from '../groups/index.ts'
import type { SentEvent } from '../lib/plugin-events.ts'
import type { Caller, Route } from '../lib/http.ts'
import type { RecordBounds } from '../lib/record-bounds.ts'
import { runAtOnce, runInTurns } from '../lib/turns.ts'
import type { Storage } from '../storage/index.ts'
import type { Tasks } from '../tasks/index.ts'
import { Announce } from './announce.ts'
import { restoreChat, togglePin, trashChat } from './change-chat.ts'
import { removeMessage } from './change-message.ts'
import { describeChat, requireChat, type ChatContext } from './chat-context.ts'
import { countMentions } from './count-mentions.ts'
import { createExportRoutes } from './export/routes.ts'
import { countBringing, readFolderFiles } from './folders/change-folder.ts'
import { readFolderContext } from './folders/read-folder.ts'
import { createFolderRoutes } from './folders/routes.ts'
import { FolderStore } from './folders/store.ts'
import { createImportRoutes } from './import/routes.ts'
import { ImportStore } from './import/store.ts'
import { findChats, listChats } from './list-chats.ts'
import { createListRoutes } from './lists/routes.ts'
import { ListStore } from './lists/store.ts'
import { readBranch } from './read-branch.ts'
import {
  readMessage,
  readSpokenThread,
  readThread,
  readWholeChat,
  readWholeThread,
  type SpokenMessage,
} from './read-chat.ts'
import { createChatRoutes } from './routes.ts'
import { createChat, renameChat, updateChat } from './save-chat.ts'
import { SearchBacklog } from './search/backlog.ts'
import { ChatSearch } from './search/index.ts'
import { SearchStore } from './search/store.ts'
import { createSharingRoutes } from './sharing/routes.ts'
import { readSharedThread, sharesFile } from './sharing/shared-content.ts'
import { ShareStore } from './sharing/store.ts'
import { ChatStore } from './store.ts'
import { setTags } from './tags/change-tags.ts'
import { createTagRoutes } from './tags/routes.ts'
import { tagNamesOf } from './tags/tag-names.ts'
import { TagStore } from './tags/store.ts'
import { TextEvents } from './text-events.ts'
import { eraseUnfinished, purgeTrash } from './trash/erase-chats.ts'
import { createTrashRoutes } from './trash/routes.ts'
import { TrashStore } from './trash/store.ts'
import type { WrittenFields } from './patch-message.ts'
import { beginAnswer, closeUnfinished, saveAnswer, storeEvent } from './write-answer.ts'

export type { WrittenFields } from './patch-message.ts'
export type { SpokenMessage } from './read-chat.ts'
export { tellOfChats } from './tell-of-chats.ts'

/**
 * What a run needs to begin: the placeholder and its links exist afterwards, whatever the caller
 * had sent.
 */
export interface AnswerOpening {
  chatId: string
  messageId: string
  model: string
  modelName: string
  /** Place among the answers of several models to one question; 0 when absent. */
  modelIdx?: number
  /** The full user message to store or update, when the caller sent one. */
  userMessage?: Record<string, unknown>
  /** Parent of the answer when known; else the stored one, else the current message of the chat. */
  parentId?: string | null
}

/** Fields of a growing or finished answer; absent ones stay as stored. */
export interface AnswerPatch {
  content?: string
  reasoning_content?: string
  reasoning_seconds?: number
  done?: boolean
  usage?: Record<string, unknown>
  error?: { content: string; [key: string]: unknown }
  [key: string]: unknown
}

/** Which part of the chat list is wanted; all of it without `page`. */
export interface ListRequest {
  readonly page?: number
  readonly includePinned?: boolean
  readonly includeFolders?: boolean
}

/** What a folder says to every model asked in it. */
export interface FolderContext {
  readonly system_prompt: string | null
  readonly files: readonly unknown[]
}

/**
 * Chats as message trees (specification, Resources and Endpoints › Chats). A missing or foreign
 * chat is the same 404.
 */
export interface Chats {
  create(userId: string, body: ChatBodyInput, options?: { folderId?: string | null }): Chat
  get(userId: string, chatId: string): Chat
  /** Merges field by field; unmentioned messages stay. `repairs` says what was mended. */
  update(
    userId: string,
    chatId: string,
    body: ChatBodyInput,
  ): { id: string; updated_at: number; repairs: string[] }
  list(userId: string, options: ListRequest): ChatListItem[]
  search(userId: string, options: { text: string; page?: number }): ChatSearchHit[]
  branch(
    userId: string,
    chatId: string,
    options: { through?: string; before?: string; limit: number },
  ): BranchPage
  remove(userId: string, chatId: string): void
  restore(userId: string, chatId: string): ChatListItem
  togglePin(userId: string, chatId: string): ChatListItem
  removeMessage(userId: string, chatId: string, messageId: string): void
  /** How many folders of a person bring files and collections along that fit. */
  foldersBringing(userId: string, fits: (items: unknown) => boolean): number
  /**
   * In how many chats of a person, those in the trash among them, a message brings this file along.
   */
  countMentions(userId: string, fileId: string): Promise<number>
  /** What a folder of a person brings along; null when they have no such folder. */
  folderFiles(userId: string, folderId: string): readonly unknown[] | null
  /**
   * What a share link shows somebody who may open it, from the first message to the last; null when
   * there is nothing for them.
   */
  sharedThread(caller: Caller, shareId: string): { title: string; messages: Message[] } | null
  /** Whether the chats a person shared show somebody else this file. */
  sharesFile(reader: Pick<Caller, 'userId' | 'role'>, ownerId: string, fileId: string): boolean
  /** Owner of a chat that is not in the trash; null when there is none. */
  ownerOf(chatId: string): string | null
  /** When a chat that is not in the trash was changed last; null when there is none. */
  updatedAt(chatId: string): number | null
  message(chatId: string, messageId: string): Message | null
  /**
   * Messages from the root to `messageId`, only the last ones with a `count`. Whoever needs all of
   * a long chat waits for `wholeThread`.
   */
  thread(chatId: string, messageId: string, count?: number): Message[]
  /** All messages from the root to `messageId`, others being served while they are read. */
  wholeThread(chatId: string, messageId: string): Promise<Message[]>
  /** The same as a model is told them. */
  spokenThread(chatId: string, messageId: string): Promise<SpokenMessage[]>
  /** Stores the placeholder of an answer and mends the links around it; says what was mended. */
  openAnswer(opening: AnswerOpening): { repairs: string[]; parentId: string | null }
  /**
   * Writes a growing or finished answer; false when the message is gone. `written` has the JSON of
   * fields that are long.
   */
  saveAnswer(
    chatId: string,
    messageId: string,
    patch: AnswerPatch,
    written?: WrittenFields,
  ): boolean
  setTitle(chatId: string, title: string): void
  title(chatId: string): string
  /** Names of the tags of a chat. */
  tagsOf(chatId: string): string[]
  /** Gives a chat these tags; what cannot be a tag is left out. */
  setTags(chatId: string, names: readonly string[]): void
  /**
   * System prompt and files of the folder a chat lies in; null outside of folders and where the
   * folder has none.
   */
  folderContext(chatId: string): FolderContext | null
  /**
   * Writes a persisted event type to its message (specification, Plugin events › Persistence).
   * Answers the `index` of the event: where in its list the first added thing stands; null when
   * there is no list.
   */
  applyEvent(chatId: string, messageId: string, event: SentEvent): number | null
  /**
   * Text of answers being written that storage does not have yet; reads of chats are overlaid with
   * it.
   */
  setLiveAnswers(live: (chatId: string, messageId: string) => AnswerPatch | null): void
  /** At start: closes answers a former process left unfinished, with the reason; says how many. */
  closeUnfinished(): number
  /** Deletes the chats whose 30 days in the trash are over, their rows in the background. */
  purgeTrash(): Promise<void>
}

/** What chats are built from. */
export interface ChatsDependencies {
  readonly storage: Storage
  readonly events: Pick<Events, 'emit' | 'requireFit'>
  readonly tasks: Pick<Tasks, 'ofChat' | 'stop'>
  readonly access: Pick<Access, 'allows' | 'describe' | 'replace' | 'remove'>
  readonly groups: Pick<Groups, 'allows'>
  /** Checks the files a folder is to bring along; everything may be named when absent. */
  readonly checkAttached?: ChatContext['checkAttached']
  /** Messages that one call may store, because they are written at once. */
  readonly mostMessages: () => number
  /**
   * Messages of a stored chat that one call may change or add, as it does so in one transaction.
   */
  readonly mostChanges: () => number
  /** What a message may hold, or a chat beside its messages, as each save writes all of it. */
  readonly recordBounds: () => RecordBounds
  /**
   * Characters up to which events may lengthen one message, all of which every further event reads
   * and writes.
   */
  readonly mostEventCharacters: () => number
  /** Where archives lie while they are imported. */
  readonly dataDir: string
}

function createContext({
  storage,
  events,
  tasks,
  access,
  groups,
  mostMessages,
  mostChanges,
  recordBounds,
  mostEventCharacters,
  checkAttached = () => undefined,
}: ChatsDependencies): ChatContext {
  const searchStore = new SearchStore(storage)
  const search = new ChatSearch(searchStore, () => backlog.wake())
  const backlog = new SearchBacklog({ storage, store: searchStore, search })
  return {
    storage,
    tasks,
    access,
    checkAttached,
    mostMessages,
    mostChanges,
    recordBounds,
    mostEventCharacters,
    search,
    store: new ChatStore(storage),
    backlog,
    tags: new TagStore(storage),
    folders: new FolderStore(storage),
    lists: new ListStore(storage),
    trash: new TrashStore(storage),
    shares: new ShareStore(storage),
    imports: new ImportStore(storage),
    textEvents: new TextEvents(),
    announce: new Announce(events),
    permits: (caller, permission) => groups.allows(caller, permission),
    liveAnswers: () => null,
  }
}

/** Builds the chats of the gateway with their routes. */
export function createChats(
  dependencies: ChatsDependencies,
): Chats & { readonly routes: readonly Route[] } {
  const { events, groups, dataDir } = dependencies
  const context = createContext(dependencies)
  const { store } = context
  eraseUnfinished(context)
  const importRoutes = createImportRoutes(context, { folder: path.join(dataDir, 'imports') })
  context.backlog.wake()

  return {
    create: (userId, body, options) =>
      readWholeChat(
        context,
        runAtOnce(createChat(context, userId, body, { folder_id: options?.folderId ?? null })).chat
          .id,
      ),
    get: (userId, chatId) => readWholeChat(context, requireChat(context, userId, chatId).id),
    update: (userId, chatId, body) => {
      const { chat, repairs } = runAtOnce(
        updateChat(context, userId, { chatId, mayEdit: true }, body),
      )
      return { id: chat.id, updated_at: chat.updated_at, repairs }
    },
    list: (userId, request) =>
      [...listChats(context, userId, request)].filter((item) => item !== undefined),
    search: (userId, request) => runAtOnce(findChats(context, userId, request)),
    branch: (userId, chatId, request) =>
      JSON.parse(readBranch(context, requireChat(context, userId, chatId), request)) as BranchPage,
    remove: (userId, chatId) => trashChat(context, userId, chatId),
    restore: (userId, chatId) => describeChat(context, restoreChat(context, userId, chatId)),
    togglePin: (userId, chatId) => describeChat(context, togglePin(context, userId, chatId)),
    removeMessage: (userId, chatId, messageId) => {
      runAtOnce(removeMessage(context, userId, { chatId, messageId }))
    },
    foldersBringing: (userId, fits) => countBringing(context, userId, fits),
    countMentions: (userId, fileId) => countMentions(context, userId, fileId),
    folderFiles: (userId, folderId) => readFolderFiles(context, userId, folderId),
    sharedThread: (caller, shareId) => readSharedThread(context, caller, shareId),
    sharesFile: (reader, ownerId, fileId) => sharesFile(context, reader, { ownerId, fileId }),
    ownerOf: (chatId) => {
      const chat = store.chat(chatId)
      return chat && chat.deleted_at === null ? chat.user_id : null
    },
    updatedAt: (chatId) => {
      const chat = store.chat(chatId)
      return chat && chat.deleted_at === null ? chat.updated_at : null
    },
    message: (chatId, messageId) => readMessage(context, chatId, messageId),
    thread: (chatId, messageId, count) => readThread(context, chatId, messageId, count),
    wholeThread: (chatId, messageId) => runInTurns(readWholeThread(context, chatId, messageId)),
    spokenThread: (chatId, messageId) => runInTurns(readSpokenThread(context, chatId, messageId)),
    openAnswer: (opening) => beginAnswer(context, opening),
    saveAnswer: (chatId, messageId, patch, written) =>
      saveAnswer(context, { chatId, messageId }, patch, written),
    setTitle: (chatId, title) => renameChat(context, chatId, title),
    title: (chatId) => store.chat(chatId)?.title ?? '',
    tagsOf: (chatId) => tagNamesOf(store.chat(chatId)?.tags ?? '[]'),
    setTags: (chatId, names) => setTags(context, chatId, names),
    folderContext: (chatId) => readFolderContext(context, chatId),
    applyEvent: (chatId, messageId, event) => storeEvent(context, chatId, messageId, event),
    setLiveAnswers: (live) => {
      context.liveAnswers = live
    },
    closeUnfinished: () => closeUnfinished(context),
    purgeTrash: () => runInTurns(purgeTrash(context)),
    // Names such as `import` would be taken for the id of a chat, so they are matched first.
    routes: [
      ...importRoutes,
      ...createFolderRoutes(context, (caller) => groups.allows(caller, 'chat.delete')),
      ...createListRoutes(context),
      ...createExportRoutes(context),
      ...createTrashRoutes(context),
      ...createTagRoutes(context),
      ...createChatRoutes(context, events),
      ...createSharingRoutes(context),
    ],
  }
}

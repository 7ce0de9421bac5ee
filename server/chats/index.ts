import path from 'node:path'
import type { ChatRow } from './store.ts'
import type { BranchPage, Chat, ChatListItem } from '#contract/chats.ts'
import type { Folder } from '#contract/folders.ts'
import type { Access } from '../access/index.ts'
import type { Events } from '../events/index.ts'
import type { Groups } from '../groups/index.ts'
import type { Route } from '../lib/http.ts'
import type { RecordBounds } from '../lib/record-bounds.ts'
import { parseJsonInSteps } from '../lib/parse-json.ts'
import { runInTurns, finishSteps } from '../lib/turns.ts'
import type { Storage } from '../storage/index.ts'
import type { Tasks } from '../tasks/index.ts'
import { Announce } from './announce.ts'
import { createBringingBack } from './bring-back.ts'
import { restoreChat, togglePin, trashChat } from './change-chat.ts'
import { removeMessage } from './change-message.ts'
import { describeChat, requireChat, type ChatContext } from './chat-context.ts'
import { countMentions } from './count-mentions.ts'
import { createExportRoutes } from './export/routes.ts'
import { countBringing, readFolderFiles } from './folders/change-folder.ts'
import { readFolderContext, toFolder } from './folders/read-folder.ts'
import { createFolderRoutes } from './folders/routes.ts'
import { FolderStore } from './folders/store.ts'
import type { OtherPrograms } from './import/open-program.ts'
import { createImportRoutes } from './import/routes.ts'
import { ImportStore } from './import/store.ts'
import { findChats, listChats } from './list-chats.ts'
import { createListRoutes } from './lists/routes.ts'
import { ListStore } from './lists/store.ts'
import { readBranch } from './read-branch.ts'
import {
  readChat,
  readMessage,
  readSpokenThread,
  readThread,
  readWholeChat,
  readWholeThread,
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
import { createStarredRoutes } from './starred/routes.ts'
import { createTagRoutes } from './tags/routes.ts'
import { tagNamesOf } from './tags/tag-names.ts'
import { TagStore } from './tags/store.ts'
import { TextEvents } from './text-events.ts'
import { eraseUnfinished, purgeTrash } from './trash/erase-chats.ts'
import { createTrashRoutes } from './trash/routes.ts'
import { TrashStore } from './trash/store.ts'
import { beginAnswer, closeUnfinished, saveAnswer, storeEvent } from './write-answer.ts'
import type { Chats } from './chats.ts'

export type { Chats } from './chats.ts'

export type { AnswerPatch } from './answer-patch.ts'

export type { WrittenFields } from './patch-message.ts'
export type { SpokenMessage } from './read-chat.ts'
export { tellOfChats } from './tell-of-chats.ts'

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
  /** Where other programs are looked for; nowhere and by nobody when absent. */
  readonly programs?: OtherPrograms
}

const NO_PROGRAMS: OtherPrograms = { environment: {}, isLocal: () => false }

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
  checkAttached = async () => undefined,
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

/** Chats of an earlier state of the database, to be read; see `Chats` for what can be done with them. */
export interface OldChats {
  /** In short steps, archived ones too. */
  list(userId: string): AsyncGenerator<ChatListItem | undefined>
  folders(userId: string): Promise<Folder[]>
  /** A missing or foreign chat is the same 404. */
  read(userId: string, chatId: string): Promise<Chat>
}

/** Reads chats of a database that nobody writes to. */
export function openOldChats({
  storage,
  access,
}: Pick<ChatsDependencies, 'storage' | 'access'>): OldChats {
  const context = createContext({
    storage,
    access,
    events: { emit: () => undefined, requireFit: () => undefined },
    tasks: { ofChat: () => [], stop: () => false },
    groups: { allows: () => false },
    mostMessages: () => Infinity,
    mostChanges: () => Infinity,
    recordBounds: () => ({ values: Infinity, characters: Infinity }),
    mostEventCharacters: () => Infinity,
    dataDir: '',
  })
  const read = async function* (chatId: string): AsyncGenerator<void, Chat> {
    const pieces: string[] = []
    for await (const piece of readChat(context, chatId)) {
      pieces.push(piece)
      yield
    }
    return (yield* parseJsonInSteps(Buffer.from(pieces.join('')))).value as Chat
  }
  return {
    list: (userId) =>
      listChats(context, userId, { includePinned: true, includeFolders: true, page: undefined }),
    folders: async (userId) => {
      const folders: Folder[] = []
      for (const id of await context.folders.idsOfUser(userId)) {
        const row = await context.folders.get(id)
        if (row) folders.push(toFolder(row))
      }
      return folders
    },
    read: async (userId, chatId) =>
      runInTurns(read((await requireChat(context, userId, chatId)).id)),
  }
}

/** A chat that is not in the trash. */
async function findKept({ store }: ChatContext, chatId: string): Promise<ChatRow | null> {
  const chat = await store.chat(chatId)
  return chat && chat.deleted_at === null ? chat : null
}

/** Builds the chats of the gateway with their routes. */
export async function createChats(
  dependencies: ChatsDependencies,
): Promise<Chats & { readonly routes: readonly Route[] }> {
  const context = createContext(dependencies)
  const { store } = context
  await eraseUnfinished(context)
  const importRoutes = createImportRoutes(context, {
    folder: path.join(dependencies.dataDir, 'imports'),
    programs: dependencies.programs ?? NO_PROGRAMS,
  })
  await context.backlog.wake()

  return {
    create: async (userId, body, options) =>
      readWholeChat(
        context,
        (
          await finishSteps(
            createChat(context, userId, body, { folder_id: options?.folderId ?? null }),
          )
        ).chat.id,
      ),
    get: async (userId, chatId) =>
      readWholeChat(context, (await requireChat(context, userId, chatId)).id),
    ...createBringingBack(context),
    update: async (userId, chatId, body) => {
      const { chat, repairs } = await finishSteps(
        updateChat(context, userId, { chatId, mayEdit: true }, body),
      )
      return { id: chat.id, updated_at: chat.updated_at, repairs }
    },
    list: async (userId, request) =>
      (await Array.fromAsync(listChats(context, userId, request))).filter(
        (item) => item !== undefined,
      ),
    search: (userId, request) => finishSteps(findChats(context, userId, request)),
    branch: async (userId, chatId, request) =>
      JSON.parse(
        await readBranch(context, await requireChat(context, userId, chatId), request),
      ) as BranchPage,
    remove: (userId, chatId) => trashChat(context, userId, chatId),
    restore: async (userId, chatId) =>
      describeChat(context, await restoreChat(context, userId, chatId)),
    togglePin: async (userId, chatId) =>
      describeChat(context, await togglePin(context, userId, chatId)),
    removeMessage: async (userId, chatId, messageId) => {
      await finishSteps(removeMessage(context, userId, { chatId, messageId }))
    },
    foldersBringing: (userId, fits) => countBringing(context, userId, fits),
    countMentions: (userId, fileId) => countMentions(context, userId, fileId),
    folderFiles: (userId, folderId) => readFolderFiles(context, userId, folderId),
    sharedThread: (caller, shareId) => readSharedThread(context, caller, shareId),
    sharesFile: (reader, ownerId, fileId) => sharesFile(context, reader, { ownerId, fileId }),
    ownerOf: async (chatId) => (await findKept(context, chatId))?.user_id ?? null,
    updatedAt: async (chatId) => (await findKept(context, chatId))?.updated_at ?? null,
    message: (chatId, messageId) => readMessage(context, chatId, messageId),
    thread: (chatId, messageId, count) => readThread(context, chatId, messageId, count),
    wholeThread: (chatId, messageId) => runInTurns(readWholeThread(context, chatId, messageId)),
    spokenThread: (chatId, messageId) => runInTurns(readSpokenThread(context, chatId, messageId)),
    openAnswer: (opening) => beginAnswer(context, opening),
    saveAnswer: (chatId, messageId, patch, written) =>
      saveAnswer(context, { chatId, messageId }, patch, written),
    setTitle: (chatId, title) => renameChat(context, chatId, title),
    title: async (chatId) => (await store.chat(chatId))?.title ?? '',
    tagsOf: async (chatId) => tagNamesOf((await store.chat(chatId))?.tags ?? '[]'),
    setTags: (chatId, names) => setTags(context, chatId, names),
    folderContext: (chatId) => readFolderContext(context, chatId),
    applyEvent: (chatId, messageId, event) => storeEvent(context, chatId, messageId, event),
    setLiveAnswers: (live) => {
      context.liveAnswers = live
    },
    closeUnfinished: () => closeUnfinished(context),
    purgeTrash: () => runInTurns(purgeTrash(context)),
    routes: createRoutes(context, dependencies, importRoutes),
  }
}

/**
 * Names such as `import` would be taken for the id of a chat, so they are matched before those with
 * one.
 */
const createRoutes = (
  context: ChatContext,
  { events, groups }: ChatsDependencies,
  importRoutes: readonly Route[],
): Route[] => [
  ...importRoutes,
  ...createFolderRoutes(context, (caller) => groups.allows(caller, 'chat.delete')),
  ...createListRoutes(context),
  ...createExportRoutes(context),
  ...createStarredRoutes(context.storage),
  ...createTrashRoutes(context),
  ...createTagRoutes(context),
  ...createChatRoutes(context, events),
  ...createSharingRoutes(context),
]

import path from 'node:path'
import type {
  BranchPage,
  Chat,
  ChatBodyInput,
  ChatListItem,
  ChatSearchHit,
  Message,
} from '#contract/chats.ts'
import type { Folder } from '#contract/folders.ts'
import type { Caller, Route } from '../lib/http.ts'
import type { SentEvent } from '../lib/plugin-events.ts'
import { finishSteps, runInTurns } from '../lib/turns.ts'
import type {
  AnswerOpening,
  AnswerPatch,
  FolderContext,
  ListRequest,
  SaveOptions,
} from './answers/answer-patch.ts'
import { bringChatBack, bringFolderBack } from './bring-back.ts'
import { closeAnnounced, markRead, restoreChat, togglePin, trashChat } from './change-chat.ts'
import { removeMessage } from './saving/change-message.ts'
import { describeChat, requireChat, type ChatContext } from './chat-context.ts'
import { countMentions } from './reading/count-mentions.ts'
import { createContext, type ChatsDependencies } from './create-context.ts'
import { createExportRoutes } from './export/routes.ts'
import { countBringing, readFolderFiles } from './folders/change-folder.ts'
import { readFolderContext } from './folders/read-folder.ts'
import { createFolderRoutes } from './folders/routes.ts'
import type { FileShelf } from './import/import-targets.ts'
import type { OtherPrograms } from './import/open-program.ts'
import { ImportCalls } from './import/import-calls.ts'
import { createImportRoutes } from './import/routes.ts'
import { findChats, listChats } from './lists/list-chats.ts'
import { createListRoutes } from './lists/routes.ts'
import { readBranch } from './reading/read-branch.ts'
import {
  readMessage,
  readSpokenThread,
  readThread,
  readWholeChat,
  readWholeThread,
  type SpokenMessage,
} from './reading/read-chat.ts'
import { createChatRoutes } from './routes.ts'
import { createChat, renameChat, updateChat } from './saving/save-chat.ts'
import { createSharingRoutes } from './sharing/routes.ts'
import { readSharedThread, sharesFile } from './sharing/shared-content.ts'
import { createStarredRoutes } from './starred/routes.ts'
import type { ChatRow } from './store.ts'
import { setTags } from './tags/change-tags.ts'
import { createTagRoutes } from './tags/routes.ts'
import { tagNamesOf } from './tags/tag-names.ts'
import { eraseUnfinished, purgeTrash } from './trash/erase-chats.ts'
import { createTrashRoutes } from './trash/routes.ts'
import { beginAnswer, closeUnfinished, saveAnswer, storeEvent } from './answers/write-answer.ts'

const NO_PROGRAMS: OtherPrograms = { environment: {}, isLocal: () => false }

/**
 * Chats as message trees (specification, Resources and Endpoints › Chats). A missing or foreign
 * chat is the same 404.
 */
export class Chats {
  readonly #context: ChatContext
  readonly routes: readonly Route[]

  private constructor(
    context: ChatContext,
    dependencies: ChatsDependencies,
    importCalls: ImportCalls,
  ) {
    this.#context = context
    this.routes = createRoutes(context, dependencies, importCalls)
  }

  /** Opens the chats; continues the pending deletions and indexing of the last run. */
  static async open(dependencies: ChatsDependencies): Promise<Chats> {
    const context = createContext(dependencies)
    // Other gateways may be storing chats at the moment.
    if (dependencies.isAlone ?? true) await eraseUnfinished(context)
    const importCalls = new ImportCalls(context, {
      folder: path.join(dependencies.dataDir, 'imports'),
      live: dependencies.live ?? null,
    })
    await importCalls.open()
    const chats = new Chats(context, dependencies, importCalls)
    await context.backlog.wake()
    return chats
  }

  async create(
    userId: string,
    body: ChatBodyInput,
    options?: { folderId?: string | null },
  ): Promise<Chat> {
    const record = { folder_id: options?.folderId ?? null }
    const { chat } = await finishSteps(createChat(this.#context, userId, body, record))
    return readWholeChat(this.#context, chat.id)
  }

  async get(userId: string, chatId: string): Promise<Chat> {
    const { id } = await requireChat(this.#context, userId, chatId)
    return readWholeChat(this.#context, id)
  }

  /**
   * Stores a chat of an earlier state as a new one that only its owner can see; returns its id.
   * Long parts are written in short steps.
   */
  bringBack(userId: string, chat: Chat, folderId?: string | null): Promise<string> {
    return bringChatBack(this.#context, userId, { chat, folderId })
  }

  /** Creates a folder like one of an earlier state, under a free name; returns its id. */
  bringFolderBack(userId: string, folder: Folder, parentId: string | null): Promise<string> {
    return bringFolderBack(this.#context, userId, folder, parentId)
  }

  /** Merges field by field; omitted messages stay. `repairs` lists the corrections. */
  async update(
    userId: string,
    chatId: string,
    body: ChatBodyInput,
  ): Promise<{ id: string; updated_at: number; repairs: string[] }> {
    const place = { chatId, mayEdit: true }
    const { chat, repairs } = await finishSteps(updateChat(this.#context, userId, place, body))
    return { id: chat.id, updated_at: chat.updated_at, repairs }
  }

  async list(userId: string, options: ListRequest): Promise<ChatListItem[]> {
    const items = await Array.fromAsync(listChats(this.#context, userId, options))
    return items.filter((item) => item !== undefined)
  }

  search(userId: string, options: { text: string; page?: number }): Promise<ChatSearchHit[]> {
    return finishSteps(findChats(this.#context, userId, options))
  }

  async branch(
    userId: string,
    chatId: string,
    options: { through?: string; before?: string; limit: number },
  ): Promise<BranchPage> {
    const chat = await requireChat(this.#context, userId, chatId)
    return JSON.parse(await readBranch(this.#context, chat, options)) as BranchPage
  }

  remove(userId: string, chatId: string): Promise<void> {
    return trashChat(this.#context, userId, chatId)
  }

  async restore(userId: string, chatId: string): Promise<ChatListItem> {
    return describeChat(this.#context, await restoreChat(this.#context, userId, chatId))
  }

  async togglePin(userId: string, chatId: string): Promise<ChatListItem> {
    return describeChat(this.#context, await togglePin(this.#context, userId, chatId))
  }

  async removeMessage(userId: string, chatId: string, messageId: string): Promise<void> {
    await finishSteps(removeMessage(this.#context, userId, { chatId, messageId }))
  }

  /** Returns the number of folders of a user that include matching files and collections. */
  foldersWithAttachment(userId: string, fits: (items: unknown) => boolean): Promise<number> {
    return countBringing(this.#context, userId, fits)
  }

  /**
   * Returns the number of chats of a user, including those in the trash, in which a message
   * includes this file.
   */
  countMentions(userId: string, fileId: string): Promise<number> {
    return countMentions(this.#context, userId, fileId)
  }

  /**
   * Returns the files and collections included in a folder of a user; null if there is no such
   * folder.
   */
  folderFiles(userId: string, folderId: string): Promise<readonly unknown[] | null> {
    return readFolderFiles(this.#context, userId, folderId)
  }

  /**
   * Returns the messages of a share link for a caller who may open it, from the first to the last;
   * null if there are none for the caller.
   */
  sharedThread(
    caller: Caller,
    shareId: string,
  ): Promise<{ title: string; messages: Message[] } | null> {
    return readSharedThread(this.#context, caller, shareId)
  }

  /** Returns true if the chats a user shared show this file to the reader. */
  sharesFile(
    reader: Pick<Caller, 'userId' | 'role'>,
    ownerId: string,
    fileId: string,
  ): Promise<boolean> {
    return sharesFile(this.#context, reader, { ownerId, fileId })
  }

  /** Returns the owner of a chat that is not in the trash; null if there is none. */
  async ownerOf(chatId: string): Promise<string | null> {
    return (await this.#findKept(chatId))?.user_id ?? null
  }

  /**
   * Returns the time when a chat that is not in the trash was last changed; null if there is none.
   */
  async updatedAt(chatId: string): Promise<number | null> {
    return (await this.#findKept(chatId))?.updated_at ?? null
  }

  /** Marks a chat as read now; does nothing for a missing or foreign one. */
  async markRead(userId: string, chatId: string): Promise<void> {
    const chat = await this.#findKept(chatId)
    if (chat?.user_id === userId) await markRead(this.#context, userId, { chatId, isRead: true })
  }

  message(chatId: string, messageId: string): Promise<Message | null> {
    return readMessage(this.#context, chatId, messageId)
  }

  /**
   * Returns the messages from the root to `messageId`, only the last `count` ones if given. Callers
   * that need all of a long chat use `wholeThread`.
   */
  thread(chatId: string, messageId: string, count?: number): Promise<Message[]> {
    return readThread(this.#context, chatId, messageId, count)
  }

  /**
   * Returns all messages from the root to `messageId`; other requests are served while they are
   * read.
   */
  wholeThread(chatId: string, messageId: string): Promise<Message[]> {
    return runInTurns(readWholeThread(this.#context, chatId, messageId))
  }

  /** Same as `wholeThread`, in the form sent to a model. */
  spokenThread(chatId: string, messageId: string): Promise<SpokenMessage[]> {
    return runInTurns(readSpokenThread(this.#context, chatId, messageId))
  }

  /** Stores the placeholder of an answer and repairs the links around it; returns the repairs. */
  openAnswer(opening: AnswerOpening): Promise<{ repairs: string[]; parentId: string | null }> {
    return beginAnswer(this.#context, opening)
  }

  /**
   * Writes a growing or finished answer; resolves with false if the message is deleted, or another
   * gateway ended it. `written` has the JSON of long fields.
   */
  saveAnswer(
    chatId: string,
    messageId: string,
    patch: AnswerPatch,
    options?: SaveOptions,
  ): Promise<boolean> {
    return saveAnswer(this.#context, { chatId, messageId }, patch, options)
  }

  /**
   * Returns the text of an answer that is being written, with the texts that events added at their
   * positions, and the number of these events.
   */
  wovenText(chatId: string, messageId: string, text: string): { text: string; events: number } {
    const { textEvents } = this.#context
    return {
      text: textEvents.apply(chatId, messageId, text),
      events: textEvents.countOf(chatId, messageId),
    }
  }

  setTitle(chatId: string, title: string): Promise<void> {
    return renameChat(this.#context, chatId, title)
  }

  async title(chatId: string): Promise<string> {
    return (await this.#context.store.chat(chatId))?.title ?? ''
  }

  /** Returns the names of the tags of a chat. */
  async tagsOf(chatId: string): Promise<string[]> {
    return tagNamesOf((await this.#context.store.chat(chatId))?.tags ?? '[]')
  }

  /** Sets the tags of a chat; omits names that are no valid tags. */
  setTags(chatId: string, names: readonly string[]): Promise<void> {
    return setTags(this.#context, chatId, names)
  }

  /**
   * Returns system prompt and files of the folder of a chat; null outside of folders and if the
   * folder has none.
   */
  folderContext(chatId: string): Promise<FolderContext | null> {
    return readFolderContext(this.#context, chatId)
  }

  /**
   * Stores a persisted event in its message (specification, Plugin events › Persistence). Returns
   * the `index` of the event: the position of the first added item in its list; null if there is no
   * list.
   */
  applyEvent(chatId: string, messageId: string, event: SentEvent): Promise<number | null> {
    return storeEvent(this.#context, chatId, messageId, event)
  }

  /**
   * Sets the check of the files and collections a folder includes; until then every item is
   * allowed.
   */
  setFileShelf(shelf: FileShelf): void {
    this.#context.fileShelf = shelf
  }

  setAttachmentCheck(check: ChatContext['checkAttached']): void {
    this.#context.checkAttached = check
  }

  /**
   * Sets the source of answer texts that are not stored yet; reads of chats are overlaid with them.
   */
  setLiveAnswers(live: (chatId: string, messageId: string) => AnswerPatch | null): void {
    this.#context.liveAnswers = live
  }

  /**
   * Closes answers that gateways left unfinished, with the reason; returns their number. Without
   * `isGone` there is no other gateway.
   */
  closeUnfinished(isGone?: (replica: string | null) => boolean): Promise<number> {
    return closeUnfinished(this.#context, isGone)
  }

  /** Closes answers of a chat that were announced and never asked for, as if they were stopped. */
  closeAnnounced(chatId: string, messageId?: string): Promise<void> {
    return closeAnnounced(this.#context, chatId, messageId)
  }

  /** Deletes chats that have been in the trash for 30 days, their rows in the background. */
  purgeTrash(): Promise<void> {
    return runInTurns(purgeTrash(this.#context))
  }

  /** Returns a chat that is not in the trash. */
  async #findKept(chatId: string): Promise<ChatRow | null> {
    const chat = await this.#context.store.chat(chatId)
    return chat && chat.deleted_at === null ? chat : null
  }
}

/**
 * Names such as `import` would be taken for a chat id, so they are matched before routes with an
 * id.
 */
const createRoutes = (
  context: ChatContext,
  dependencies: ChatsDependencies,
  importCalls: ImportCalls,
): Route[] => [
  ...createImportRoutes(context, {
    calls: importCalls,
    programs: dependencies.programs ?? NO_PROGRAMS,
  }),
  ...createFolderRoutes(context, (caller) => dependencies.groups.allows(caller, 'chat.delete')),
  ...createListRoutes(context),
  ...createExportRoutes(context),
  ...createStarredRoutes(context.storage),
  ...createTrashRoutes(context),
  ...createTagRoutes(context),
  ...createChatRoutes(context, dependencies.events),
  ...createSharingRoutes(context),
]

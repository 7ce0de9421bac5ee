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
} from './answer-patch.ts'
import { bringChatBack, bringFolderBack } from './bring-back.ts'
import { restoreChat, togglePin, trashChat } from './change-chat.ts'
import { removeMessage } from './change-message.ts'
import { describeChat, requireChat, type ChatContext } from './chat-context.ts'
import { countMentions } from './count-mentions.ts'
import { createContext, type ChatsDependencies } from './create-context.ts'
import { createExportRoutes } from './export/routes.ts'
import { countBringing, readFolderFiles } from './folders/change-folder.ts'
import { readFolderContext } from './folders/read-folder.ts'
import { createFolderRoutes } from './folders/routes.ts'
import type { OtherPrograms } from './import/open-program.ts'
import { createImportRoutes } from './import/routes.ts'
import { findChats, listChats } from './list-chats.ts'
import { createListRoutes } from './lists/routes.ts'
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
import { createSharingRoutes } from './sharing/routes.ts'
import { readSharedThread, sharesFile } from './sharing/shared-content.ts'
import { createStarredRoutes } from './starred/routes.ts'
import type { ChatRow } from './store.ts'
import { setTags } from './tags/change-tags.ts'
import { createTagRoutes } from './tags/routes.ts'
import { tagNamesOf } from './tags/tag-names.ts'
import { eraseUnfinished, purgeTrash } from './trash/erase-chats.ts'
import { createTrashRoutes } from './trash/routes.ts'
import { beginAnswer, closeUnfinished, saveAnswer, storeEvent } from './write-answer.ts'

const NO_PROGRAMS: OtherPrograms = { environment: {}, isLocal: () => false }

/**
 * Chats as message trees (specification, Resources and Endpoints › Chats). A missing or foreign
 * chat is the same 404.
 */
export class Chats {
  readonly #context: ChatContext
  readonly routes: readonly Route[]

  private constructor(context: ChatContext, dependencies: ChatsDependencies) {
    this.#context = context
    this.routes = createRoutes(context, dependencies)
  }

  /** Goes on with what the last run left to erase and to index. */
  static async open(dependencies: ChatsDependencies): Promise<Chats> {
    const context = createContext(dependencies)
    // Others may be storing chats just now.
    if (dependencies.isAlone ?? true) await eraseUnfinished(context)
    const chats = new Chats(context, dependencies)
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
   * Stores a chat of an earlier state as a new one that nobody else sees; answers its id. Parts that
   * are long are written in short steps.
   */
  bringBack(userId: string, chat: Chat, folderId?: string | null): Promise<string> {
    return bringChatBack(this.#context, userId, { chat, folderId })
  }

  /** Makes a folder like one of an earlier state, under a name that is free; answers its id. */
  bringFolderBack(userId: string, folder: Folder, parentId: string | null): Promise<string> {
    return bringFolderBack(this.#context, userId, folder, parentId)
  }

  /** Merges field by field; unmentioned messages stay. `repairs` says what was mended. */
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

  /** How many folders of a person bring files and collections along that fit. */
  foldersBringing(userId: string, fits: (items: unknown) => boolean): Promise<number> {
    return countBringing(this.#context, userId, fits)
  }

  /**
   * In how many chats of a person, those in the trash among them, a message brings this file along.
   */
  countMentions(userId: string, fileId: string): Promise<number> {
    return countMentions(this.#context, userId, fileId)
  }

  /** What a folder of a person brings along; null when they have no such folder. */
  folderFiles(userId: string, folderId: string): Promise<readonly unknown[] | null> {
    return readFolderFiles(this.#context, userId, folderId)
  }

  /**
   * What a share link shows somebody who may open it, from the first message to the last; null when
   * there is nothing for them.
   */
  sharedThread(
    caller: Caller,
    shareId: string,
  ): Promise<{ title: string; messages: Message[] } | null> {
    return readSharedThread(this.#context, caller, shareId)
  }

  /** Whether the chats a person shared show somebody else this file. */
  sharesFile(
    reader: Pick<Caller, 'userId' | 'role'>,
    ownerId: string,
    fileId: string,
  ): Promise<boolean> {
    return sharesFile(this.#context, reader, { ownerId, fileId })
  }

  /** Owner of a chat that is not in the trash; null when there is none. */
  async ownerOf(chatId: string): Promise<string | null> {
    return (await this.#findKept(chatId))?.user_id ?? null
  }

  /** When a chat that is not in the trash was changed last; null when there is none. */
  async updatedAt(chatId: string): Promise<number | null> {
    return (await this.#findKept(chatId))?.updated_at ?? null
  }

  message(chatId: string, messageId: string): Promise<Message | null> {
    return readMessage(this.#context, chatId, messageId)
  }

  /**
   * Messages from the root to `messageId`, only the last ones with a `count`. Whoever needs all of
   * a long chat waits for `wholeThread`.
   */
  thread(chatId: string, messageId: string, count?: number): Promise<Message[]> {
    return readThread(this.#context, chatId, messageId, count)
  }

  /** All messages from the root to `messageId`, others being served while they are read. */
  wholeThread(chatId: string, messageId: string): Promise<Message[]> {
    return runInTurns(readWholeThread(this.#context, chatId, messageId))
  }

  /** The same as a model is told them. */
  spokenThread(chatId: string, messageId: string): Promise<SpokenMessage[]> {
    return runInTurns(readSpokenThread(this.#context, chatId, messageId))
  }

  /** Stores the placeholder of an answer and mends the links around it; says what was mended. */
  openAnswer(opening: AnswerOpening): Promise<{ repairs: string[]; parentId: string | null }> {
    return beginAnswer(this.#context, opening)
  }

  /**
   * Writes a growing or finished answer; false when the message is gone, or another gateway ended
   * it. `written` has the JSON of fields that are long.
   */
  saveAnswer(
    chatId: string,
    messageId: string,
    patch: AnswerPatch,
    options?: SaveOptions,
  ): Promise<boolean> {
    return saveAnswer(this.#context, { chatId, messageId }, patch, options)
  }

  setTitle(chatId: string, title: string): Promise<void> {
    return renameChat(this.#context, chatId, title)
  }

  async title(chatId: string): Promise<string> {
    return (await this.#context.store.chat(chatId))?.title ?? ''
  }

  /** Names of the tags of a chat. */
  async tagsOf(chatId: string): Promise<string[]> {
    return tagNamesOf((await this.#context.store.chat(chatId))?.tags ?? '[]')
  }

  /** Gives a chat these tags; what cannot be a tag is left out. */
  setTags(chatId: string, names: readonly string[]): Promise<void> {
    return setTags(this.#context, chatId, names)
  }

  /**
   * System prompt and files of the folder a chat lies in; null outside of folders and where the
   * folder has none.
   */
  folderContext(chatId: string): Promise<FolderContext | null> {
    return readFolderContext(this.#context, chatId)
  }

  /**
   * Writes a persisted event type to its message (specification, Plugin events › Persistence).
   * Answers the `index` of the event: where in its list the first added thing stands; null when
   * there is no list.
   */
  applyEvent(chatId: string, messageId: string, event: SentEvent): Promise<number | null> {
    return storeEvent(this.#context, chatId, messageId, event)
  }

  /** Checks the files and collections a folder is to bring along; until then all may be named. */
  setAttachmentCheck(check: ChatContext['checkAttached']): void {
    this.#context.checkAttached = check
  }

  /**
   * Text of answers being written that storage does not have yet; reads of chats are overlaid with
   * it.
   */
  setLiveAnswers(live: (chatId: string, messageId: string) => AnswerPatch | null): void {
    this.#context.liveAnswers = live
  }

  /**
   * Closes answers that gateways left unfinished, with the reason; says how many. Without `isGone`
   * there is no other gateway.
   */
  closeUnfinished(isGone?: (replica: string | null) => boolean): Promise<number> {
    return closeUnfinished(this.#context, isGone)
  }

  /** Deletes the chats whose 30 days in the trash are over, their rows in the background. */
  purgeTrash(): Promise<void> {
    return runInTurns(purgeTrash(this.#context))
  }

  /** A chat that is not in the trash. */
  async #findKept(chatId: string): Promise<ChatRow | null> {
    const chat = await this.#context.store.chat(chatId)
    return chat && chat.deleted_at === null ? chat : null
  }
}

/**
 * Names such as `import` would be taken for the id of a chat, so they are matched before those with
 * one.
 */
const createRoutes = (context: ChatContext, dependencies: ChatsDependencies): Route[] => [
  ...createImportRoutes(context, {
    folder: path.join(dependencies.dataDir, 'imports'),
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

import type {
  BranchPage,
  Chat,
  ChatBodyInput,
  ChatListItem,
  ChatSearchHit,
  Message,
} from '#contract/chats.ts'
import type { Folder } from '#contract/folders.ts'
import type { SentEvent } from '../lib/plugin-events.ts'
import type { Caller } from '../lib/http.ts'
import type { SpokenMessage } from './read-chat.ts'
import type { WrittenFields } from './patch-message.ts'
import type { AnswerOpening, AnswerPatch, FolderContext, ListRequest } from './answer-patch.ts'

/**
 * Chats as message trees (specification, Resources and Endpoints › Chats). A missing or foreign
 * chat is the same 404.
 */
export interface Chats {
  create(userId: string, body: ChatBodyInput, options?: { folderId?: string | null }): Promise<Chat>
  get(userId: string, chatId: string): Promise<Chat>
  /**
   * Stores a chat of an earlier state as a new one that nobody else sees; answers its id. Parts that
   * are long are written in short steps.
   */
  bringBack(userId: string, chat: Chat, folderId?: string | null): Promise<string>
  /** Makes a folder like one of an earlier state, under a name that is free; answers its id. */
  bringFolderBack(userId: string, folder: Folder, parentId: string | null): Promise<string>
  /** Merges field by field; unmentioned messages stay. `repairs` says what was mended. */
  update(
    userId: string,
    chatId: string,
    body: ChatBodyInput,
  ): Promise<{ id: string; updated_at: number; repairs: string[] }>
  list(userId: string, options: ListRequest): Promise<ChatListItem[]>
  search(userId: string, options: { text: string; page?: number }): Promise<ChatSearchHit[]>
  branch(
    userId: string,
    chatId: string,
    options: { through?: string; before?: string; limit: number },
  ): Promise<BranchPage>
  remove(userId: string, chatId: string): Promise<void>
  restore(userId: string, chatId: string): Promise<ChatListItem>
  togglePin(userId: string, chatId: string): Promise<ChatListItem>
  removeMessage(userId: string, chatId: string, messageId: string): Promise<void>
  /** How many folders of a person bring files and collections along that fit. */
  foldersBringing(userId: string, fits: (items: unknown) => boolean): Promise<number>
  /**
   * In how many chats of a person, those in the trash among them, a message brings this file along.
   */
  countMentions(userId: string, fileId: string): Promise<number>
  /** What a folder of a person brings along; null when they have no such folder. */
  folderFiles(userId: string, folderId: string): Promise<readonly unknown[] | null>
  /**
   * What a share link shows somebody who may open it, from the first message to the last; null when
   * there is nothing for them.
   */
  sharedThread(
    caller: Caller,
    shareId: string,
  ): Promise<{ title: string; messages: Message[] } | null>
  /** Whether the chats a person shared show somebody else this file. */
  sharesFile(
    reader: Pick<Caller, 'userId' | 'role'>,
    ownerId: string,
    fileId: string,
  ): Promise<boolean>
  /** Owner of a chat that is not in the trash; null when there is none. */
  ownerOf(chatId: string): Promise<string | null>
  /** When a chat that is not in the trash was changed last; null when there is none. */
  updatedAt(chatId: string): Promise<number | null>
  message(chatId: string, messageId: string): Promise<Message | null>
  /**
   * Messages from the root to `messageId`, only the last ones with a `count`. Whoever needs all of
   * a long chat waits for `wholeThread`.
   */
  thread(chatId: string, messageId: string, count?: number): Promise<Message[]>
  /** All messages from the root to `messageId`, others being served while they are read. */
  wholeThread(chatId: string, messageId: string): Promise<Message[]>
  /** The same as a model is told them. */
  spokenThread(chatId: string, messageId: string): Promise<SpokenMessage[]>
  /** Stores the placeholder of an answer and mends the links around it; says what was mended. */
  openAnswer(opening: AnswerOpening): Promise<{ repairs: string[]; parentId: string | null }>
  /**
   * Writes a growing or finished answer; false when the message is gone. `written` has the JSON of
   * fields that are long.
   */
  saveAnswer(
    chatId: string,
    messageId: string,
    patch: AnswerPatch,
    written?: WrittenFields,
  ): Promise<boolean>
  setTitle(chatId: string, title: string): Promise<void>
  title(chatId: string): Promise<string>
  /** Names of the tags of a chat. */
  tagsOf(chatId: string): Promise<string[]>
  /** Gives a chat these tags; what cannot be a tag is left out. */
  setTags(chatId: string, names: readonly string[]): Promise<void>
  /**
   * System prompt and files of the folder a chat lies in; null outside of folders and where the
   * folder has none.
   */
  folderContext(chatId: string): Promise<FolderContext | null>
  /**
   * Writes a persisted event type to its message (specification, Plugin events › Persistence).
   * Answers the `index` of the event: where in its list the first added thing stands; null when
   * there is no list.
   */
  applyEvent(chatId: string, messageId: string, event: SentEvent): Promise<number | null>
  /**
   * Text of answers being written that storage does not have yet; reads of chats are overlaid with
   * it.
   */
  setLiveAnswers(live: (chatId: string, messageId: string) => AnswerPatch | null): void
  /** At start: closes answers a former process left unfinished, with the reason; says how many. */
  closeUnfinished(): Promise<number>
  /** Deletes the chats whose 30 days in the trash are over, their rows in the background. */
  purgeTrash(): Promise<void>
}

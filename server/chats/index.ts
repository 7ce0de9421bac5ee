import type { BranchPage, Chat, ChatBodyInput, ChatListItem, ChatSearchHit, Message } from '#contract/chats.ts'
import type { EventData } from '#contract/events.ts'

/** What a run needs to begin: the placeholder and its links exist afterwards, whatever the caller had sent. */
export interface AnswerOpening {
  chatId: string
  messageId: string
  model: string
  modelName: string
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

/** Chats as message trees (specification, Resources and Endpoints › Chats). A missing or foreign chat is the same 404. */
export interface Chats {
  create(userId: string, body: ChatBodyInput, options?: { folderId?: string | null }): Chat
  get(userId: string, chatId: string): Chat
  /** Merges field by field; unmentioned messages stay. `repairs` says what was mended. */
  update(userId: string, chatId: string, body: ChatBodyInput): { id: string; updated_at: number; repairs: string[] }
  list(userId: string, options: { page?: number; includePinned?: boolean }): ChatListItem[]
  search(userId: string, options: { text: string; page?: number }): ChatSearchHit[]
  branch(userId: string, chatId: string, options: { through?: string; before?: string; limit: number }): BranchPage
  remove(userId: string, chatId: string): void
  restore(userId: string, chatId: string): ChatListItem
  togglePin(userId: string, chatId: string): ChatListItem
  removeMessage(userId: string, chatId: string, messageId: string): void
  /** Owner of a chat that is not in the trash; null when there is none. */
  ownerOf(chatId: string): string | null
  message(chatId: string, messageId: string): Message | null
  /** Messages from the root to `messageId`, for building prompts. */
  thread(chatId: string, messageId: string): Message[]
  /** Stores the placeholder of an answer and mends the links around it; says what was mended. */
  openAnswer(opening: AnswerOpening): { repairs: string[]; parentId: string | null }
  /** Writes a growing or finished answer; false when the message is gone. */
  saveAnswer(chatId: string, messageId: string, patch: AnswerPatch): boolean
  setTitle(chatId: string, title: string): void
  title(chatId: string): string
  /** Writes a persisted event type to its message (specification, Plugin events › Persistence). */
  applyEvent(chatId: string, messageId: string, event: EventData): void
  /** Text of answers being written that storage does not have yet; reads of chats are overlaid with it. */
  setLiveAnswers(live: (chatId: string, messageId: string) => AnswerPatch | null): void
  /** At start: closes answers a former process left unfinished, with the reason; says how many. */
  closeUnfinished(): number
}

import type { BranchPage, Chat, ChatBodyInput, ChatListItem, ChatSearchHit, Message } from '#contract/chats.ts'
import type { EventData } from '#contract/events.ts'
import type { Events } from '../events/index.ts'
import type { Route } from '../lib/http.ts'
import { runAtOnce } from '../lib/turns.ts'
import type { Storage } from '../storage/index.ts'
import type { Tasks } from '../tasks/index.ts'
import { createAnnounce } from './announce.ts'
import { purgeTrash, restoreChat, togglePin, trashChat } from './change-chat.ts'
import { removeMessage } from './change-message.ts'
import { describeChat, requireChat, type ChatContext } from './chat-context.ts'
import { findChats, listChats } from './list-chats.ts'
import { readBranch } from './read-branch.ts'
import { readMessage, readThread, readWholeChat } from './read-chat.ts'
import { createChatRoutes } from './routes.ts'
import { createChat, renameChat, updateChat } from './save-chat.ts'
import { createChatSearch } from './search/index.ts'
import { createChatStore } from './store.ts'
import { beginAnswer, closeUnfinished, saveAnswer, storeEvent } from './write-answer.ts'

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

/** Which part of the chat list is wanted; all of it without `page`. */
export interface ListRequest {
  readonly page?: number
  readonly includePinned?: boolean
  readonly includeFolders?: boolean
}

/** Chats as message trees (specification, Resources and Endpoints › Chats). A missing or foreign chat is the same 404. */
export interface Chats {
  create(userId: string, body: ChatBodyInput, options?: { folderId?: string | null }): Chat
  get(userId: string, chatId: string): Chat
  /** Merges field by field; unmentioned messages stay. `repairs` says what was mended. */
  update(userId: string, chatId: string, body: ChatBodyInput): { id: string; updated_at: number; repairs: string[] }
  list(userId: string, options: ListRequest): ChatListItem[]
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
  /** Deletes a bounded part of the chats whose 30 days in the trash are over; true while there is more to delete. */
  purgeTrash(): boolean
}

export interface ChatsDependencies {
  readonly storage: Storage
  readonly events: Pick<Events, 'emit'>
  readonly tasks: Pick<Tasks, 'ofChat' | 'stop'>
}

/** Builds the chats of the gateway with their routes. */
export function createChats({ storage, events, tasks }: ChatsDependencies): Chats & { readonly routes: readonly Route[] } {
  const context: ChatContext = {
    storage,
    store: createChatStore(storage),
    search: createChatSearch(storage),
    tasks,
    announce: createAnnounce(events),
    liveAnswers: () => null,
  }
  const { store } = context

  return {
    create: (userId, body, options) => readWholeChat(context, createChat(context, userId, body, options?.folderId ?? null).chat.id),
    get: (userId, chatId) => readWholeChat(context, requireChat(context, userId, chatId).id),
    update: (userId, chatId, body) => {
      const { chat, repairs } = updateChat(context, userId, chatId, body)
      return { id: chat.id, updated_at: chat.updated_at, repairs }
    },
    list: (userId, request) => listChats(context, userId, request),
    search: (userId, request) => runAtOnce(findChats(context, userId, request)),
    branch: (userId, chatId, request) => JSON.parse(readBranch(context, requireChat(context, userId, chatId), request)) as BranchPage,
    remove: (userId, chatId) => trashChat(context, userId, chatId),
    restore: (userId, chatId) => describeChat(context, restoreChat(context, userId, chatId)),
    togglePin: (userId, chatId) => describeChat(context, togglePin(context, userId, chatId)),
    removeMessage: (userId, chatId, messageId) => {
      removeMessage(context, userId, { chatId, messageId })
    },
    ownerOf: (chatId) => {
      const chat = store.chat(chatId)
      return chat && chat.deleted_at === null ? chat.user_id : null
    },
    message: (chatId, messageId) => readMessage(context, chatId, messageId),
    thread: (chatId, messageId) => readThread(context, chatId, messageId),
    openAnswer: (opening) => beginAnswer(context, opening),
    saveAnswer: (chatId, messageId, patch) => saveAnswer(context, chatId, messageId, patch),
    setTitle: (chatId, title) => renameChat(context, chatId, title),
    title: (chatId) => store.chat(chatId)?.title ?? '',
    applyEvent: (chatId, messageId, event) => storeEvent(context, chatId, messageId, event),
    setLiveAnswers: (live) => {
      context.liveAnswers = live
    },
    closeUnfinished: () => closeUnfinished(context),
    purgeTrash: () => purgeTrash(context),
    routes: createChatRoutes(context, events),
  }
}

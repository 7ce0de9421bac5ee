import { socket } from '../../api/socket.ts'
import { pictureChoice, toImageOptions } from '../../ui/pictures/picture-choice.ts'
import { chatApi } from './chat-api.ts'
import { ChatFeed, createFrameSchedule } from './chat-feed.ts'
import type { ChatDeps } from './chat-deps.ts'
import { ALL_RIGHTS, type ChatRights } from './chat-rights.ts'
import { type ChatStore, createChatStore, isGrowing } from './chat-store.ts'
import { keepToldFavorite } from './messages/favorite.ts'
import { readBranch } from './load-chat.ts'
import { MessageQueue } from './composer/message-queue.ts'
import { toolsStore } from './tools/tools-store.ts'
import { CODE, PICTURES, WEB_SEARCH } from './tools/chosen-tools.ts'
import { newId } from '../../lib/new-id.ts'

/** Scroll position at which the chat was left. */
export interface ReadingPlace {
  readonly messageId: string
  /** Distance of the message from the top of the view. */
  readonly offset: number
}

/**
 * A conversation held open by this window. `key` stays the same when a new chat receives its id.
 */
export interface OpenChat {
  readonly key: string
  readonly store: ChatStore
  readonly feed: Pick<ChatFeed, 'push'>
  readonly queue: MessageQueue
  place: ReadingPlace | null
  /** The first load, started when the chat was opened; null once it has been used. */
  firstReading: Promise<void> | null
}

/** Number of chats kept in memory, so that returning to one shows it immediately. */
const KEPT = 8

let rights: ChatRights = ALL_RIGHTS

/** Sets the rights that determine what may be sent; the gateway refuses the rest. */
export const setChatRights = (next: ChatRights): void => {
  rights = next
}

/** Returns the image generation feature with the user's chosen options. */
function wantPictures(): Record<string, unknown> {
  const options = toImageOptions(pictureChoice())
  return { [PICTURES]: true, ...(Object.keys(options).length > 0 && { image_options: options }) }
}

export const chatDeps: ChatDeps = {
  api: chatApi,
  permitted: (params) =>
    Object.fromEntries(
      Object.entries(params).filter(([name]) =>
        name === 'system' ? rights.system : rights.params,
      ),
    ),
  features: (chosen): Record<string, unknown> => ({
    ...(rights.memories && { memory: true }),
    ...(rights.code.isOffered && rights.code.isReady && chosen.includes(CODE) && { [CODE]: true }),
    ...(rights.webSearch.isOffered && chosen.includes(WEB_SEARCH) && { [WEB_SEARCH]: true }),
    ...(rights.pictures.mayMake && chosen.includes(PICTURES) && wantPictures()),
  }),
  describeOwn: (toolIds) => toolsStore.getState().describeOwn(toolIds),
  sessionId: () => socket.sessionId(),
  newId,
  now: () => Math.floor(Date.now() / 1000),
}

const schedule = createFrameSchedule()
let open: OpenChat[] = []
let isListening = false

function listen(): void {
  if (isListening) return
  isListening = true
  socket.onFrame((frame) => {
    for (const chat of open) {
      chat.feed.push(frame)
      keepToldFavorite(chat.store, chatDeps, frame)
    }
  })
  socket.onReconnected(() => {
    for (const chat of open) void readBranch(chat.store, chatDeps)
  })
}

function createOpenChat(chatId: string | null): OpenChat {
  const store = createChatStore(chatId)
  const feed = new ChatFeed(store, { schedule, reread: () => void readBranch(store, chatDeps) })
  // Started here rather than after the first render, so that both run in parallel.
  const firstReading = chatId === null ? null : readBranch(store, chatDeps)
  const queue = new MessageQueue(store, chatDeps)
  return { key: newId(), store, feed, queue, place: null, firstReading }
}

const isBusy = (chat: OpenChat): boolean =>
  !chat.queue.isEmpty || Object.values(chat.store.getState().messages).some(isGrowing)

/** Reloads a chat that is shown again; a chat just opened is already being loaded. */
export async function refreshChat(chat: OpenChat, messageId: string | null): Promise<void> {
  const { firstReading } = chat
  chat.firstReading = null
  if (firstReading) await firstReading
  if (messageId !== null) await readBranch(chat.store, chatDeps, { through: messageId })
  else if (!firstReading) await readBranch(chat.store, chatDeps)
}

/** True if no other conversation was shown after this one. */
export const isLastOpened = (chat: OpenChat): boolean => open.at(-1) === chat

/** Returns the open conversation of a chat; null requests a new one. */
export function openChat(chatId: string | null): OpenChat {
  listen()
  const found = open.find(
    (chat) =>
      chat.store.getState().chatId === chatId &&
      (chatId !== null || chat.store.getState().phase === 'new'),
  )
  const chat = found ?? createOpenChat(chatId)
  const others = open.filter((each) => each !== chat)
  open = [...others.filter(isBusy), ...others.filter((each) => !isBusy(each)).slice(1 - KEPT), chat]
  return chat
}

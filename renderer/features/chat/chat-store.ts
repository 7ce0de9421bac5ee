import { createStore, type StoreApi } from 'zustand/vanilla'
import type { BranchMessage, BranchPage } from '#contract/chats.ts'
import { type ChosenTools, readChosenTools } from './tools/chosen-tools.ts'

/** A message as drawn. `unsent` marks one the gateway has not acknowledged. */
export type ChatMessage = BranchMessage & { unsent?: boolean }

/** The model a message is sent to. */
export interface ChatModel {
  readonly id: string
  readonly name: string
  /** What whoever made it says about it. */
  readonly description?: string
  /** True when prompts stay on this computer. */
  readonly isLocal: boolean
  /** Its connection does not answer now. */
  readonly isUnavailable?: boolean
  /** The built-in help in fixed words, which stands in until a model is connected. */
  readonly isGuide?: boolean
  /** Tools and filters it brings along unless somebody chooses others. */
  readonly toolIds?: readonly string[]
  readonly defaultFilterIds?: readonly string[]
  /** Features of the gateway that are on for it unless somebody chooses others. */
  readonly defaultFeatureIds?: readonly string[]
  /** False for one whose answers never look things up on the web. */
  readonly searchesWeb?: boolean
  /** False for one whose answers never run code. */
  readonly runsCode?: boolean
  /** False for one whose answers never come with pictures the gateway makes. */
  readonly makesPictures?: boolean
  /** Filters that can be switched on for it. */
  readonly filters?: readonly ModelFeature[]
  /** Buttons plugins put under its answers. */
  readonly actions?: readonly ModelFeature[]
}

/** Something a plugin adds to a model. */
export interface ModelFeature {
  readonly id: string
  readonly name: string
  readonly description: string
  /** A picture as a `data:` address; null for one without. */
  readonly icon: string | null
  /** Whether everybody may have settings of their own for it. */
  readonly hasUserValves: boolean
}

export interface ChatState {
  /** Null until the first message is stored. */
  readonly chatId: string | null
  readonly phase: 'new' | 'loading' | 'ready' | 'failed'
  /** Why the chat could not be read; the sentence to show. */
  readonly failure: string | null
  readonly title: string
  readonly models: readonly string[]
  /** System prompt and sampling values of this chat. */
  readonly params: Readonly<Record<string, unknown>>
  /** Tools, filters and features of the next answers; null follows the model. */
  readonly tools: ChosenTools | null
  /** Ids of the branch on the screen, oldest first. */
  readonly order: readonly string[]
  /** The messages of the branch, and what was read of those beside it. */
  readonly messages: Readonly<Record<string, ChatMessage>>
  /** Where older messages continue; null at the root. */
  readonly before: string | null
  readonly isReadingOlder: boolean
  /** Something was missed on the way, so the branch has to be read again. */
  readonly isStale: boolean
  /** Answer of a turn that was begun in this window; it gets room to grow below it. */
  readonly liveTurn: string | null
  /** Tasks of the answers begun in this window, by message. */
  readonly tasks: Readonly<Record<string, string>>
}

export type ChatStore = StoreApi<ChatState>

const emptyState = (chatId: string | null): ChatState => ({
  chatId,
  phase: chatId === null ? 'new' : 'loading',
  failure: null,
  title: '',
  models: [],
  params: {},
  tools: readChosenTools(chatId),
  order: [],
  messages: {},
  before: null,
  isReadingOlder: false,
  isStale: false,
  liveTurn: null,
  tasks: {},
})

/** One opened conversation; null for one that begins with its first message. */
export const createChatStore = (chatId: string | null): ChatStore =>
  createStore(() => emptyState(chatId))

const TEMPORARY = 'temporary:'

/** The id of a conversation nothing is stored of. */
export const toTemporaryId = (id: string): string => `${TEMPORARY}${id}`

/** Whether a conversation lives in this window alone. */
export const isTemporaryId = (chatId: string | null): boolean =>
  chatId?.startsWith(TEMPORARY) === true

/** True while the text of this message is still being written. */
export const isGrowing = (message: ChatMessage | undefined): boolean =>
  message !== undefined && message.role === 'assistant' && message.done === false

export const selectPhase = (state: ChatState): ChatState['phase'] => state.phase
export const selectOrder = (state: ChatState): readonly string[] => state.order
export const selectLastMessage = (state: ChatState): ChatMessage | undefined =>
  state.messages[state.order.at(-1) ?? '']
/** True while the last answer, or one beside it, is being written. */
export const selectIsAnswering = (state: ChatState): boolean => {
  const last = selectLastMessage(state)
  return last?.role === 'assistant' && last.siblingIds.some((id) => isGrowing(state.messages[id]))
}
export const selectIsEmpty = (state: ChatState): boolean =>
  state.phase === 'new' || (state.phase === 'ready' && state.order.length === 0)
export const selectMessage =
  (id: string) =>
  (state: ChatState): ChatMessage | undefined =>
    state.messages[id]

/** Replaces fields of one message; a state without that message stays as it is. */
export function patchMessage(state: ChatState, id: string, patch: Partial<ChatMessage>): ChatState {
  const message = state.messages[id]
  return message
    ? { ...state, messages: { ...state.messages, [id]: { ...message, ...patch } } }
    : state
}

/**
 * A page may have been read before what the socket has told since: a finished answer stays, of two
 * growing ones the longer.
 */
function newerOf(stored: ChatMessage, shown: ChatMessage | undefined): ChatMessage {
  // A mark a plugin asked for is on its way to the gateway; one that was taken away there is false.
  const read =
    stored.favorite === undefined && shown?.favorite === true
      ? { ...stored, favorite: true }
      : stored
  // Unless it goes on by now.
  const isFinished = shown && !isGrowing(shown) && !shown.unsent
  if (isFinished && isGrowing(read) && read.content.length <= shown.content.length)
    return { ...shown, siblingIds: read.siblingIds }
  if (!shown || !isGrowing(read) || !isGrowing(shown)) return read
  const isBehind = shown.content.length > read.content.length
  const texts = isBehind && {
    content: shown.content,
    reasoning_content: shown.reasoning_content ?? read.reasoning_content,
  }
  return { ...read, ...texts, ...longerLists(read, shown) }
}

const LISTS = ['statusHistory', 'sources', 'files', 'embeds'] as const

/** What was told of a growing answer since the page was read. */
const longerLists = (read: ChatMessage, shown: ChatMessage): Partial<ChatMessage> =>
  Object.fromEntries(
    LISTS.filter((field) => (shown[field]?.length ?? 0) > (read[field]?.length ?? 0)).map(
      (field) => [field, shown[field]],
    ),
  )

/** What is on the screen above the page and hangs together with it. */
function keptAbove(
  state: ChatState,
  page: BranchPage,
): { ids: readonly string[]; before: string | null } {
  const first = page.messages[0]
  const position = first ? state.order.indexOf(first.id) : -1
  return position > 0
    ? { ids: state.order.slice(0, position), before: state.before }
    : { ids: [], before: page.before }
}

/** Answers beside the branch that were read before stay, and learn of their newest neighbours. */
function keepBeside(state: ChatState, messages: Record<string, ChatMessage>): void {
  for (const { siblingIds } of Object.values(messages)) {
    for (const id of siblingIds) {
      const beside = state.messages[id]
      if (beside && !messages[id]) messages[id] = { ...beside, siblingIds }
    }
  }
}

/** Takes in answers that stand beside those of the branch. */
export function withBeside(state: ChatState, read: readonly ChatMessage[]): ChatState {
  const messages = { ...state.messages }
  for (const message of read) messages[message.id] = newerOf(message, messages[message.id])
  return { ...state, messages }
}

/**
 * Takes in the end of a branch as read from the gateway; messages still on their way there stay
 * below it.
 */
export function withPage(state: ChatState, page: BranchPage): ChatState {
  const above = keptAbove(state, page)
  const unsent = state.order.filter(
    (id) => state.messages[id]?.unsent && !page.messages.some((read) => read.id === id),
  )
  const order = [...above.ids, ...page.messages.map((read) => read.id), ...unsent]
  const messages: Record<string, ChatMessage> = {}
  for (const id of [...above.ids, ...unsent]) messages[id] = state.messages[id]!
  for (const read of page.messages) messages[read.id] = newerOf(read, state.messages[read.id])
  keepBeside(state, messages)
  return {
    ...state,
    chatId: page.chat_id,
    phase: 'ready',
    failure: null,
    title: page.title,
    models: page.models,
    params: page.params,
    order,
    messages,
    before: above.before,
    isStale: false,
  }
}

/** Puts an older page above what is shown. */
export function withOlderPage(state: ChatState, page: BranchPage): ChatState {
  const fresh = page.messages.filter((read) => !state.messages[read.id])
  const messages = {
    ...Object.fromEntries(fresh.map((read) => [read.id, read])),
    ...state.messages,
  }
  return {
    ...state,
    order: [...fresh.map((read) => read.id), ...state.order],
    messages,
    before: page.before,
    isReadingOlder: false,
  }
}

/**
 * Cuts the branch after `parentId` (null: before the first message) and lays the given messages at
 * its end; `beside` stand next to its last one.
 */
export function withTurn(
  state: ChatState,
  parentId: string | null,
  turn: readonly ChatMessage[],
  beside: readonly ChatMessage[] = [],
): ChatState {
  const kept = parentId === null ? [] : state.order.slice(0, state.order.indexOf(parentId) + 1)
  const messages = { ...state.messages }
  const siblingIds = turn[0]?.siblingIds ?? []
  for (const id of siblingIds) if (messages[id]) messages[id] = { ...messages[id], siblingIds }
  for (const message of [...turn, ...beside]) messages[message.id] = message
  const last = turn.at(-1)
  return {
    ...state,
    phase: 'ready',
    order: [...kept, ...turn.map((message) => message.id)],
    messages,
    before: parentId === null ? null : state.before,
    liveTurn: last?.role === 'assistant' ? last.id : state.liveTurn,
  }
}

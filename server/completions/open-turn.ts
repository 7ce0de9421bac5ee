import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { Chats } from '../chats/index.ts'
import type { Events } from '../events/index.ts'
import { badRequest, conflict, notFound } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { newId, nowSeconds } from '../lib/ids.ts'
import type { ResolvedModel } from '../models/index.ts'
import type { Task, Tasks } from '../tasks/index.ts'
import { isRecord } from '../lib/is-record.ts'
import { textOf, toShortTitle } from './message-text.ts'

/** One answer the gateway owns: it is saved as it grows and goes on when the caller leaves. */
export interface Turn {
  readonly task: Task
  readonly userId: string
  readonly chatId: string
  readonly messageId: string
  /** Message the answer replies to. */
  readonly parentId: string | null
  /** What was mended in the chat, in words. */
  readonly repairs: readonly string[]
  /** True when this request made the chat. */
  readonly isNewChat: boolean
}

interface OpenOptions {
  readonly caller: Caller
  readonly request: ChatCompletionRequest
  readonly resolved: ResolvedModel
}

export interface TurnDependencies {
  readonly chats: Chats
  readonly tasks: Tasks
  readonly events: Pick<Events, 'emit'>
}

/**
 * Begins the answer a request asks for: checks that the chat is the caller's (404), makes the chat and the placeholder
 * where they are missing, registers the task. Null for a stateless request, which leaves every chat untouched.
 *
 * @NOTE `chat_id` without `id` names no message to write, so it is answered stateless, after the same owner check.
 */
export function openTurn(dependencies: TurnDependencies, options: OpenOptions): Turn | null {
  const { chats } = dependencies
  const { caller, request } = options
  if (request.chat_id) {
    if (chats.ownerOf(request.chat_id) !== caller.userId) throw notFound('There is no chat with this id.')
    return request.id ? openInChat(dependencies, options, { chatId: request.chat_id, messageId: request.id, isNewChat: false }) : null
  }
  if (request.parent_id !== null) return null
  const chat = chats.create(caller.userId, { title: toShortTitle(textOf(lastQuestion(request)?.['content'])), models: [request.model] })
  try {
    return openInChat(dependencies, options, { chatId: chat.id, messageId: request.id ?? newId(), isNewChat: true })
  } catch (error) {
    // A question that cannot be stored leaves no empty chat in the list.
    chats.remove(caller.userId, chat.id)
    throw error
  }
}

type Place = Pick<Turn, 'chatId' | 'messageId' | 'isNewChat'>

function openInChat({ chats, tasks, events }: TurnDependencies, { caller, request, resolved }: OpenOptions, place: Place): Turn {
  const { chatId, messageId } = place
  if (tasks.ofChat(chatId).some((task) => task.messageId === messageId)) {
    throw conflict('This answer is already being written. Stop it first, or ask under a new message id.')
  }
  const known = chats.message(chatId, messageId)
  if (known && known.role !== 'assistant') throw badRequest('The id belongs to a message that is not an answer.')
  const userMessage = toUserMessage(request, place)
  const { repairs, parentId } = chats.openAnswer({
    chatId,
    messageId,
    model: request.model,
    modelName: resolved.entry.name,
    userMessage,
    parentId: userMessage ? userMessage.id : toParentId(request),
  })
  const task = tasks.start({ userId: caller.userId, chatId, messageId })
  events.emit(caller.userId, { chat_id: chatId, message_id: null, data: { type: 'chat:active', data: { active: true } } })
  return { task, userId: caller.userId, ...place, parentId, repairs: place.isNewChat ? [] : repairs }
}

/** The question to store with the answer: the one sent as such, or for a new chat the last one of the conversation. */
function toUserMessage(
  request: ChatCompletionRequest,
  { messageId, isNewChat }: Place,
): ({ id: string } & Record<string, unknown>) | undefined {
  const sent = sentQuestion(request) ?? (isNewChat ? lastQuestion(request) : undefined)
  if (!sent) return undefined
  const parent = isNewChat ? {} : { parentId: toParentId(request) }
  return {
    ...parent,
    timestamp: nowSeconds(),
    models: [request.model],
    ...sent,
    id: typeof sent['id'] === 'string' && sent['id'] !== '' ? sent['id'] : newId(),
    role: 'user',
    childrenIds: [messageId],
  }
}

/** `parent_message` is the older name of `user_message`; some clients send it empty. */
function sentQuestion({ user_message, parent_message }: ChatCompletionRequest): Record<string, unknown> | undefined {
  return [user_message, parent_message].find((message) => isRecord(message) && message['content'] !== undefined) ?? undefined
}

function lastQuestion(request: ChatCompletionRequest): Record<string, unknown> | undefined {
  return sentQuestion(request) ?? request.messages.findLast(({ role }) => role === 'user')
}

const toParentId = ({ parent_id }: ChatCompletionRequest): string | undefined => parent_id || undefined

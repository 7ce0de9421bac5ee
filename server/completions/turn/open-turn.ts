import type { ChatCompletionRequest } from '#contract/completions.ts'
import { alreadyWritten, type Chats } from '../../chats/index.ts'
import type { Events } from '../../events/index.ts'
import { badRequest } from '../../lib/errors.ts'
import type { Caller } from '../../lib/http.ts'
import { isRecord } from '../../lib/is-record.ts'
import { newId, nowSeconds } from '../../lib/ids.ts'
import type { Task, Tasks } from '../../tasks/index.ts'
import { findBegun, goesOn, type BegunAnswer } from './begun-answer.ts'
import { closeHeld } from './close-held.ts'
import type { ChatNews } from '../completions-parts.ts'
import type { Place, Target } from './find-place.ts'
import { textOf, toShortTitle } from '../message-text.ts'
import { createOwnChat, removeOwnChat } from './own-chats.ts'
import { TemporaryTexts } from './temporary-texts.ts'

/**
 * One answer owned by the gateway: it is saved as it grows and continues when the caller
 * disconnects.
 */
export interface Turn {
  readonly task: Task
  readonly userId: string
  readonly chatId: string
  readonly messageId: string
  /** Id of the message the answer replies to. */
  readonly parentId: string | null
  /** Repairs made in the chat, as messages. */
  readonly repairs: readonly string[]
  /** True if this request created the chat. */
  readonly isNewChat: boolean
  /**
   * Only session that receives the events of an answer that is not stored; null for a stored one.
   */
  readonly temporarySession: string | null
  /** Texts that events wrote into an answer that is not stored; null for a stored one. */
  readonly temporaryTexts: TemporaryTexts | null
  /** Model an arena chose; null if the caller chose it. */
  readonly selectedModelId: string | null
  /** Existing part of the answer, if this turn continues it. */
  readonly begun: BegunAnswer | null
}

/** Answer to start, with the name of its model. */
export interface NamedTarget extends Target {
  readonly modelName: string
  readonly selectedModelId: string | null
}

interface OpenOptions {
  readonly caller: Caller
  readonly request: ChatCompletionRequest
  readonly place: Exclude<Place, { kind: 'stateless' }>
  readonly targets: readonly NamedTarget[]
}

export interface TurnDependencies {
  readonly chats: Chats
  readonly chatNews?: ChatNews
  readonly tasks: Tasks
  readonly events: Pick<Events, 'answerBegun' | 'emit' | 'emitTo'>
}

/**
 * Starts the answers a request asks for, all to the same question: creates the chat and the
 * placeholders where they are missing, and registers a task for each.
 */
export async function openTurns(
  dependencies: TurnDependencies,
  options: OpenOptions,
): Promise<Turn[]> {
  const { caller, request, place, targets } = options
  if (place.kind !== 'new') return openInPlace(dependencies, options, place)
  const title = toShortTitle(textOf(lastQuestion(request)?.['content']))
  const body = { title, models: targets.map(({ modelId }) => modelId) }
  const { userId } = caller
  const chatId = await createOwnChat(dependencies, userId, body, request.folder_id || null)
  try {
    return await openInPlace(dependencies, options, { kind: 'new', chatId })
  } catch (error) {
    await removeOwnChat(dependencies, userId, chatId)
    throw error
  }
}

type OpenPlace =
  | Exclude<OpenOptions['place'], { kind: 'new' }>
  | { readonly kind: 'new'; readonly chatId: string }

async function openInPlace(
  dependencies: TurnDependencies,
  options: OpenOptions,
  place: OpenPlace,
): Promise<Turn[]> {
  for (const { messageId } of options.targets)
    await requireAnswer(dependencies.chats, place, messageId)
  const tasks = startTasks(dependencies.tasks, options, place.chatId)
  const turns: Turn[] = []
  try {
    for (const [index, target] of options.targets.entries()) {
      const opening = { place, target, first: turns[0] ?? null, task: tasks[index]! }
      turns.push(await openTurn(dependencies, options, opening))
    }
  } catch (error) {
    for (const task of tasks) task.finish()
    for (const task of tasks) void closeHeld(dependencies.chats, task)
    throw error
  }
  return turns
}

/** Synchronous, so that of two requests for the same answer only one gets it. */
function startTasks(
  tasks: Tasks,
  { caller: { userId }, targets }: OpenOptions,
  chatId: string,
): Task[] {
  const running = tasks.ofChat(chatId).filter((task) => task.userId === userId)
  if (targets.some(({ messageId }) => running.some((task) => task.messageId === messageId)))
    throw alreadyWritten()
  return targets.map(({ messageId }) => tasks.start({ userId, chatId, messageId }))
}

async function requireAnswer(chats: Chats, place: OpenPlace, messageId: string): Promise<void> {
  const known = place.kind === 'stored' ? await chats.message(place.chatId, messageId) : null
  if (known && known.role !== 'assistant')
    throw badRequest('The id belongs to a message that is not an answer.')
}

interface Opening {
  readonly place: OpenPlace
  readonly target: NamedTarget
  /** First answer opened for the same question, which stored the question. */
  readonly first: Turn | null
  readonly task: Task
}

interface StoredOpening extends Omit<Opening, 'task'> {
  readonly isContinued: boolean
  /** See `Task.writer`. */
  readonly writer: string | null
}

async function openTurn(
  { chats, events }: Omit<TurnDependencies, 'tasks'>,
  options: OpenOptions,
  { place, target, first, task }: Opening,
): Promise<Turn> {
  const { userId } = options.caller
  const { chatId } = place
  const { messageId } = target
  const temporarySession = place.kind === 'temporary' ? place.sessionId : null
  const isStored = place.kind === 'stored' && goesOn(options.request)
  const known = isStored ? await chats.message(chatId, messageId) : null
  const begun = findBegun(options.request, known, temporarySession !== null)
  const opened =
    temporarySession === null
      ? await openStored(chats, options, {
          place,
          target,
          first,
          isContinued: begun !== null,
          writer: task.writer,
        })
      : { repairs: [], parentId: null }
  const turn: Turn = {
    task,
    userId,
    chatId,
    messageId,
    parentId: opened.parentId,
    repairs: place.kind === 'new' ? [] : opened.repairs,
    isNewChat: place.kind === 'new',
    temporarySession,
    temporaryTexts: temporarySession === null ? null : new TemporaryTexts(),
    selectedModelId: target.selectedModelId,
    begun,
  }
  const told = turnEvents(events, turn)
  told.emit(userId, {
    chat_id: chatId,
    message_id: null,
    data: { type: 'chat:active', data: { active: true } },
  })
  events.answerBegun(turn)
  if (begun !== null)
    told.emit(userId, {
      chat_id: chatId,
      message_id: messageId,
      data: { type: 'chat:completion', data: { done: false } },
    })
  return turn
}

/**
 * Returns the target of a turn's events: every window of its owner, or the one that keeps a
 * temporary chat.
 */
export function turnEvents(
  events: Pick<Events, 'emit' | 'emitTo'>,
  { temporarySession }: Pick<Turn, 'temporarySession'>,
): Pick<Events, 'emit'> {
  return temporarySession === null
    ? events
    : { emit: (userId, event) => events.emitTo(temporarySession, userId, event) }
}

async function openStored(
  chats: Chats,
  options: OpenOptions,
  { place, target, first, isContinued, writer }: StoredOpening,
) {
  const { chatId } = place
  const { modelId: model, modelName, modelIdx, messageId } = target
  const userMessage = first === null ? toUserMessage(options, place, messageId) : undefined
  const parentId =
    first === null ? (userMessage?.id ?? toParentId(options.request)) : first.parentId
  return chats.openAnswer({
    writer,
    chatId,
    messageId,
    model,
    modelName,
    modelIdx,
    selectedModelId: target.selectedModelId,
    userMessage,
    parentId,
    isContinued,
  })
}

/**
 * Returns the question to store with the answers: the one sent explicitly, or for a new chat the
 * last one of the conversation.
 */
function toUserMessage(
  { request, targets }: OpenOptions,
  { kind }: OpenPlace,
  messageId: string,
): ({ id: string } & Record<string, unknown>) | undefined {
  const sent = sentQuestion(request) ?? (kind === 'new' ? lastQuestion(request) : undefined)
  if (!sent) return undefined
  const parent = kind === 'new' ? {} : { parentId: toParentId(request) }
  return {
    ...parent,
    timestamp: nowSeconds(),
    models: targets.map(({ modelId }) => modelId),
    ...sent,
    id: typeof sent['id'] === 'string' && sent['id'] !== '' ? sent['id'] : newId(),
    role: 'user',
    childrenIds: [messageId],
  }
}

/** `parent_message` is the older name of `user_message`; some clients send it empty. */
function sentQuestion({
  user_message,
  parent_message,
}: ChatCompletionRequest): Record<string, unknown> | undefined {
  return (
    [user_message, parent_message].find(
      (message) => isRecord(message) && message['content'] !== undefined,
    ) ?? undefined
  )
}

function lastQuestion(request: ChatCompletionRequest): Record<string, unknown> | undefined {
  return sentQuestion(request) ?? request.messages.findLast(({ role }) => role === 'user')
}

const toParentId = ({ parent_id }: ChatCompletionRequest): string | undefined =>
  parent_id || undefined

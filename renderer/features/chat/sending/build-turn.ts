import type { ChatBodyInput } from '#contract/chats.ts'
import type { ChatDeps } from '../chat-deps.ts'
import type { ChatMessage, ChatModel, ChatState } from '../chat-store.ts'
import { readOrder } from './shorter-context.ts'

type Maker = Pick<ChatDeps, 'newId' | 'now'>

interface AnswerPlace {
  readonly parentId: string | null
  readonly siblingIds?: readonly string[]
  /** Index of the model among those asked. */
  readonly modelIdx?: number
}

/** Returns an empty answer, the specification's placeholder. */
export function buildAnswer(
  maker: Maker,
  model: ChatModel,
  { parentId, siblingIds = [], modelIdx = 0 }: AnswerPlace,
): ChatMessage {
  const id = maker.newId()
  return {
    id,
    role: 'assistant',
    content: '',
    parentId,
    childrenIds: [],
    model: model.id,
    modelName: model.name,
    modelIdx,
    timestamp: maker.now(),
    done: false,
    siblingIds: [...siblingIds, id],
    unsent: true,
  }
}

/**
 * New messages of a conversation: a question, unless it already exists, and an empty answer for
 * each model.
 */
export interface Turn {
  readonly question: ChatMessage | null
  readonly answers: readonly ChatMessage[]
}

/** Returns a user message with an empty answer from every model below it. */
export function buildTurn(
  maker: Maker,
  turn: {
    parentId: string | null
    text: string
    models: readonly ChatModel[]
    siblingIds?: readonly string[]
    files?: readonly unknown[]
  },
): Turn & { question: ChatMessage } {
  const { parentId, text, models, siblingIds = [], files = [] } = turn
  const id = maker.newId()
  const answers = models.map((model, modelIdx) =>
    buildAnswer(maker, model, { parentId: id, modelIdx }),
  )
  const answerIds = answers.map((answer) => answer.id)
  const question: ChatMessage = {
    id,
    role: 'user',
    content: text,
    parentId,
    childrenIds: answerIds,
    models: models.map((model) => model.id),
    timestamp: maker.now(),
    siblingIds: [...siblingIds, id],
    ...(files.length > 0 && { files: [...files] }),
    unsent: true,
  }
  return { question, answers: answers.map((answer) => ({ ...answer, siblingIds: answerIds })) }
}

export const turnMessages = ({ question, answers }: Turn): ChatMessage[] => [
  ...(question ? [question] : []),
  ...answers,
]

/** Returns a message in its stored form. */
export function toWire(message: ChatMessage): Record<string, unknown> {
  const { siblingIds: _siblings, unsent: _unsent, error: _error, ...stored } = message
  return stored
}

/**
 * Returns the part of the chat body that stores new messages and makes the first answer the current
 * one.
 */
export function toChatPatch(turn: Turn): ChatBodyInput {
  return {
    ...(turn.question?.models && { models: turn.question.models }),
    history: {
      currentId: turn.answers[0]?.id ?? null,
      messages: Object.fromEntries(
        turnMessages(turn).map((message) => [message.id, toWire(message)]),
      ) as NonNullable<ChatBodyInput['history']>['messages'],
    },
  }
}

/**
 * Returns the conversation up to and including a message as sent to the model: from the point where
 * it was shortened, if it was.
 */
export function toPrompt(
  state: ChatState,
  lastId: string,
): { role: string; content: string; files?: readonly unknown[] }[] {
  const answerAt = state.order.indexOf(lastId) + 1
  return readOrder(state.order, state, answerAt)
    .map((id) => state.messages[id]!)
    .filter((message) => message.content !== '')
    .map(({ role, content, files }) => ({
      role,
      content,
      ...(files && files.length > 0 && { files }),
    }))
}

import type { ChatBodyInput } from '#contract/chats.ts'
import type { ChatDeps } from './chat-deps.ts'
import type { ChatMessage, ChatModel, ChatState } from './chat-store.ts'

type Maker = Pick<ChatDeps, 'newId' | 'now'>

/** An answer that is still empty, as the specification's placeholder. */
export function buildAnswer(maker: Maker, parentId: string | null, model: ChatModel, siblingIds: readonly string[] = []): ChatMessage {
  const id = maker.newId()
  return {
    id,
    role: 'assistant',
    content: '',
    parentId,
    childrenIds: [],
    model: model.id,
    modelName: model.name,
    modelIdx: 0,
    timestamp: maker.now(),
    done: false,
    siblingIds: [...siblingIds, id],
    unsent: true,
  }
}

/** A message of the person with the empty answer below it. */
export function buildTurn(
  maker: Maker,
  turn: { parentId: string | null; text: string; model: ChatModel; siblingIds?: readonly string[] },
): [ChatMessage, ChatMessage] {
  const id = maker.newId()
  const answer = buildAnswer(maker, id, turn.model)
  const question: ChatMessage = {
    id,
    role: 'user',
    content: turn.text,
    parentId: turn.parentId,
    childrenIds: [answer.id],
    models: [turn.model.id],
    timestamp: maker.now(),
    siblingIds: [...(turn.siblingIds ?? []), id],
    unsent: true,
  }
  return [question, answer]
}

function toWire(message: ChatMessage): Record<string, unknown> {
  const { siblingIds: _siblings, unsent: _unsent, error: _error, ...stored } = message
  return stored
}

/** The part of the chat body that stores new messages and makes the last one the current one. */
export function toChatPatch(messages: readonly ChatMessage[], model: ChatModel): ChatBodyInput {
  return {
    models: [model.id],
    history: {
      currentId: messages.at(-1)?.id ?? null,
      messages: Object.fromEntries(messages.map((message) => [message.id, toWire(message)])) as NonNullable<
        ChatBodyInput['history']
      >['messages'],
    },
  }
}

const TITLE_LENGTH = 60

/** The name of a chat until a better one is found: the beginning of its first line. */
export function toFirstTitle(text: string): string {
  const line = text.trim().split('\n', 1)[0]?.trim() ?? ''
  return line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH).trimEnd()}…` : line
}

/** The conversation up to and including a message, as the model reads it. */
export function toPrompt(state: ChatState, lastId: string): { role: string; content: string }[] {
  const end = state.order.indexOf(lastId) + 1
  return state.order
    .slice(0, end)
    .map((id) => state.messages[id]!)
    .filter((message) => message.content !== '')
    .map((message) => ({ role: message.role, content: message.content }))
}

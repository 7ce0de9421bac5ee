import { STORED_BY_EVENTS } from '#contract/event-effects.ts'
import { findInOrder } from '../../lib/in-order.ts'
import type { AnswerOpening } from './answer-patch.ts'
import { checkPlainJson } from '../../lib/json/check-plain-json.ts'
import { nowSeconds } from '../../lib/ids.ts'
import { mergeMessages, type ChatParts, type MergeOutcome } from '../saving/merge-messages.ts'
import { parseMessage, toMessageId, type MentionedMessage } from '../saving/parse-message.ts'
import type { ChatRow, ChatStore } from '../store.ts'
import type { MessageRow } from '../chat-rows.ts'

/** Fields of an earlier run that a new run on the same message must not show. */
export const RUN_FIELDS: ReadonlySet<string> = new Set([
  ...STORED_BY_EVENTS,
  'code_executions',
  'error',
  'usage',
  'sources',
  'output',
  'reasoning_seconds',
  'answer_seconds',
  'followUps',
  'finish_reason',
])

/** Fields about the end of an answer that is continued. */
const END_FIELDS = new Set(['error', 'followUps', 'finish_reason'])

/**
 * Reads the included question; without a given place it follows the current message of the chat.
 */
function readUserMessage(
  chat: ChatRow,
  opening: AnswerOpening,
  repairs: string[],
): MentionedMessage | null {
  const source = opening.userMessage
  const id = source?.['id'] ?? opening.parentId
  if (!source || typeof id !== 'string' || id === opening.messageId) return null
  checkPlainJson(source)
  const message = parseMessage(toMessageId(id), source, repairs)
  return {
    ...message,
    role: message.role ?? 'user',
    previous: chat.current_id === opening.messageId ? undefined : null,
  }
}

/**
 * Returns the requested parent, else the stored one, else the included question, else the current
 * message of the chat.
 */
async function findParent(
  store: ChatStore,
  chat: ChatRow,
  opening: AnswerOpening & { questionId: string | null },
  storedParent: string | null | undefined,
): Promise<string | null> {
  const candidates = [opening.parentId, storedParent, opening.questionId, chat.current_id]
  const isUsable = async (id: string | null | undefined): Promise<boolean> =>
    typeof id === 'string' &&
    id !== opening.messageId &&
    (id === opening.questionId || (await store.link(chat.id, id)) !== undefined)
  return (await findInOrder(candidates, isUsable)) ?? null
}

function toPlaceholder(opening: AnswerOpening, parentId: string | null): MentionedMessage {
  return {
    id: opening.messageId,
    role: 'assistant',
    content: '',
    parentId,
    childrenIds: [],
    model: opening.model,
    done: false,
    timestamp: nowSeconds(),
    extra: { modelName: opening.modelName, modelIdx: opening.modelIdx ?? 0 },
  }
}

function startWriting(row: MessageRow, opening: AnswerOpening): MessageRow {
  const { modelName, selectedModelId = null } = opening
  const fields = Object.entries({
    ...(JSON.parse(row.extra) as object),
    modelName,
    ...(selectedModelId !== null && { selectedModelId }),
  })
  const wasRun = row.done === 1
  const isAnew = wasRun && opening.isContinued !== true
  const dropped = isAnew ? RUN_FIELDS : END_FIELDS
  return {
    ...row,
    role: 'assistant',
    content: isAnew ? '' : row.content,
    parts: null,
    reasoning_content: isAnew ? null : row.reasoning_content,
    model: opening.model,
    done: 0,
    running: 1,
    extra: JSON.stringify(
      Object.fromEntries(wasRun ? fields.filter(([name]) => !dropped.has(name)) : fields),
    ),
  }
}

/** Answers to one question may run in parallel; then the one opened first stays current. */
async function isBesideRunning(
  store: ChatStore,
  chat: ChatRow,
  parentId: string | null,
): Promise<boolean> {
  const current =
    chat.current_id === null ? undefined : await store.message(chat.id, chat.current_id)
  return current !== undefined && current.running === 1 && current.parent_id === parentId
}

export interface OpenedAnswer extends MergeOutcome {
  readonly parentId: string | null
}

/** Stores the messages a run needs and repairs the links around them. Runs inside a transaction. */
export async function openAnswer(
  parts: ChatParts,
  chat: ChatRow,
  opening: AnswerOpening,
): Promise<OpenedAnswer> {
  const { store } = parts
  const repairs: string[] = []
  const messageId = toMessageId(opening.messageId)
  const question = readUserMessage(chat, opening, repairs)
  const placeholder = await store.link(chat.id, messageId)
  const parentId = await findParent(
    store,
    chat,
    { ...opening, messageId, questionId: question?.id ?? null },
    placeholder?.parent_id,
  )
  if (typeof opening.parentId === 'string' && opening.parentId !== parentId) {
    repairs.push(
      `The parent ${JSON.stringify(opening.parentId)} is not in this chat; the answer follows ${JSON.stringify(parentId)}.`,
    )
  }
  const isMissing = placeholder === undefined
  if (isMissing)
    repairs.push(`The placeholder ${JSON.stringify(messageId)} was missing and has been created.`)
  const answer: MentionedMessage = isMissing
    ? toPlaceholder({ ...opening, messageId }, parentId)
    : { id: messageId, parentId: parentId ?? undefined, extra: {} }
  const mustMove = chat.current_id !== messageId && !(await isBesideRunning(store, chat, parentId))
  if (mustMove && !isMissing)
    repairs.push(`The current message is ${JSON.stringify(messageId)} now.`)

  const messages = new Map([
    ...(question ? [[question.id, question] as const] : []),
    [messageId, answer] as const,
  ])
  const merged = await mergeMessages(parts, chat, {
    messages,
    extra: {},
    historyExtra: {},
    flatOnly: new Set(),
    lastOfList: null,
    currentId: mustMove ? messageId : undefined,
    repairs,
  })
  const created = merged.created.find(({ id }) => id === messageId)
  const row = created ?? (await store.message(chat.id, messageId))!
  await store.updateMessage(startWriting(row, opening))
  await store.touchChat(chat.id, nowSeconds(), merged.currentId)
  return { ...merged, parentId: row.parent_id }
}

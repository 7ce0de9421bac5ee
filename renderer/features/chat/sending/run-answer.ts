import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { EventData } from '#contract/events.ts'
import { ApiError, toSentence } from '../../../api/api-error.ts'
import { applyEvent } from '../apply-event.ts'
import { toPrompt } from './build-turn.ts'
import type { AnswerStart } from '../chat-api.ts'
import type { ChatDeps } from '../chat-deps.ts'
import {
  type ChatMessage,
  type ChatState,
  type ChatStore,
  isTemporaryId,
  patchMessage,
} from '../chat-store.ts'
import { readBackTo, readBranch } from '../load-chat.ts'
import { readAnswer } from './read-stream.ts'
import { readWithEdits } from '../artifacts/read-with-edits.ts'
import { isOwnTool } from '../tools/tools-store.ts'

/** Answers to generate, all to the same question. */
export interface AnswerOrder {
  readonly answers: readonly ChatMessage[]
  readonly isFirst: boolean
  /** True if the only answer already has text that is continued. */
  readonly goesOn?: boolean
}

/** Fields about the provider that accompany the gateway's error message. */
const FACTS = ['connection', 'provider_said', 'provider_status'] as const

const factsOf = (body: ApiError['body']): Record<string, unknown> =>
  Object.fromEntries(FACTS.flatMap((name) => (name in body ? [[name, body[name]]] : [])))

const toError = (thrown: unknown): NonNullable<ChatMessage['error']> => ({
  content: toSentence(thrown),
  ...(thrown instanceof ApiError && {
    status: thrown.status,
    code: thrown.code,
    request_id: thrown.requestId,
    ...factsOf(thrown.body),
    ...(thrown.retryAfter !== null && {
      retry_after: thrown.retryAfter,
      retry_at: Math.round(Date.now() / 1000) + thrown.retryAfter,
    }),
  }),
})

/** Ends an answer that never started and stores the error in it. */
export function failAnswer(store: ChatStore, answerId: string, thrown: unknown): void {
  store.setState(
    (state) => patchMessage(state, answerId, { done: true, error: toError(thrown) }),
    true,
  )
}

/**
 * Writes the contents of a stream to its messages. Offsets prevent duplicates when the socket
 * reconnects meanwhile and delivers the same text.
 */
export async function writeStream(
  store: ChatStore,
  answerIds: readonly string[],
  body: ReadableStream<Uint8Array>,
): Promise<void> {
  const { messages } = store.getState()
  const lengths = new Map(
    answerIds.map((id) => [
      id,
      {
        content: messages[id]?.content.length ?? 0,
        reasoning: messages[id]?.reasoning_content?.length ?? 0,
      },
    ]),
  )
  const take = (messageId: string, data: EventData): void =>
    store.setState((state) => applyEvent(state, { message_id: messageId, data }), true)
  for await (const piece of readAnswer(body)) {
    const id = piece.messageId ?? answerIds[0]!
    const length = lengths.get(id)
    if (!length) continue
    if (piece.reasoning)
      take(id, {
        type: 'chat:reasoning:delta',
        data: { content: piece.reasoning, offset: length.reasoning },
      })
    if (piece.content)
      take(id, {
        type: 'chat:message:delta',
        data: { content: piece.content, offset: length.content },
      })
    if (piece.sources)
      store.setState((state) => patchMessage(state, id, { sources: [...piece.sources!] }), true)
    if (piece.failure !== null)
      store.setState(
        (state) => patchMessage(state, id, { error: { content: piece.failure! } }),
        true,
      )
    length.reasoning += piece.reasoning.length
    length.content += piece.content.length
  }
  for (const id of answerIds) take(id, { type: 'chat:completion', data: { done: true } })
}

/** Answers requested together that have not started yet. */
interface Beginning {
  readonly answerIds: readonly string[]
  /** Resolves when their task ids are known, or will not become known. */
  readonly settled: Promise<void>
  readonly settle: () => void
  readonly end: () => void
  /** True if all answers of the conversation were stopped meanwhile. */
  isStopped: boolean
}

const beginnings = new WeakMap<ChatStore, Set<Beginning>>()

function openBeginning(store: ChatStore, answers: readonly ChatMessage[]): Beginning {
  const open = beginnings.get(store) ?? new Set()
  beginnings.set(store, open)
  const { promise: settled, resolve: settle } = Promise.withResolvers<void>()
  const end = (): void => {
    open.delete(beginning)
    settle()
  }
  const beginning: Beginning = {
    answerIds: answers.map(({ id }) => id),
    settled,
    settle,
    end,
    isStopped: false,
  }
  open.add(beginning)
  return beginning
}

/** Records a stop for the answers that have not started. */
export function stopBeginning(store: ChatStore): void {
  for (const beginning of beginnings.get(store) ?? []) beginning.isStopped = true
}

/**
 * Waits until the task id of an answer requested in this window is known, or will not become known;
 * its text may arrive earlier.
 */
export async function waitForBeginning(store: ChatStore, answerId: string): Promise<void> {
  const open = [...(beginnings.get(store) ?? [])]
  await open.find(({ answerIds }) => answerIds.includes(answerId))?.settled
}

function toRequest(
  deps: ChatDeps,
  { answers, isFirst, goesOn = false }: AnswerOrder,
  { own, state }: { own: readonly Record<string, unknown>[]; state: ChatState },
): ChatCompletionRequest {
  const [first] = answers
  const params = deps.permitted(state.params)
  const { toolIds = [], filterIds = [], featureIds = [], skillIds = [] } = state.tools ?? {}
  const features = deps.features(featureIds)
  const named = toolIds.filter((id) => !isOwnTool(id))
  return {
    model: first!.model ?? '',
    messages: [
      ...toPrompt(state, first!.parentId ?? ''),
      ...(goesOn ? [{ role: 'assistant', content: first!.content }] : []),
    ],
    ...(goesOn && { continue_response: true }),
    stream: true,
    chat_id: state.chatId,
    ...(answers.length === 1
      ? { id: first!.id }
      : {
          parent_id: first!.parentId,
          message_ids: answers.map((answer, modelIdx) => ({
            model_id: answer.model ?? '',
            message_id: answer.id,
            modelIdx,
          })),
        }),
    session_id: deps.sessionId(),
    ...(Object.keys(params).length > 0 && { params }),
    ...(Object.keys(features).length > 0 && { features }),
    ...(named.length > 0 && { tool_ids: named }),
    ...(own.length > 0 && { tool_servers: [...own] }),
    ...(filterIds.length > 0 && { filter_ids: [...filterIds] }),
    ...(skillIds.length > 0 && { skill_ids: [...skillIds] }),
    background_tasks: {
      title_generation: isFirst,
      tags_generation: isFirst,
      follow_up_generation: true,
    },
  }
}

/** Stores the task id of each answer, so that it can be stopped individually. */
function noteTasks(store: ChatStore, answers: readonly ChatMessage[], started: AnswerStart): void {
  if (started.over !== 'socket') return
  const tasks = answers.flatMap((answer, index) =>
    started.taskIds[index] ? [[answer.id, started.taskIds[index]] as const] : [],
  )
  store.setState((state) => ({ tasks: { ...state.tasks, ...Object.fromEntries(tasks) } }))
}

/**
 * Stops every started answer of the conversation. The gateway cannot look up the answers of a
 * temporary chat by the chat's id.
 */
export async function stopAll(store: ChatStore, { api }: Pick<ChatDeps, 'api'>): Promise<void> {
  const { chatId, tasks, messages } = store.getState()
  if (chatId === null) return
  if (!isTemporaryId(chatId)) return api.stop(chatId)
  const growing = Object.entries(tasks).filter(([id]) => messages[id]?.done === false)
  await Promise.all(growing.map(([, task]) => api.stopTask(task)))
}

/**
 * Requests answers. Their text arrives over the socket, or in the response when no socket is
 * connected.
 */
export async function runAnswers(
  store: ChatStore,
  deps: ChatDeps,
  order: AnswerOrder,
): Promise<void> {
  const { answers } = order
  if (store.getState().chatId === null) return
  const beginning = openBeginning(store, answers)
  try {
    await readBackTo(store, deps)
    const own = await deps.describeOwn(store.getState().tools?.toolIds.filter(isOwnTool) ?? [])
    const state = await readWithEdits(store.getState())
    const request = toRequest(deps, order, { own, state })
    // Without a connected socket the response is the answer itself: it starts with the first text
    // and has no task id.
    if (request.session_id === null) beginning.settle()
    const started = await deps.api.startAnswer(request)
    noteTasks(store, answers, started)
    beginning.end()
    if (beginning.isStopped) await stopAll(store, deps)
    if (started.over === 'stream') {
      const ids = answers.map((answer) => answer.id)
      await writeStream(store, ids, started.body)
      await readBranch(store, deps)
    }
  } catch (thrown) {
    for (const answer of answers) failAnswer(store, answer.id, thrown)
  } finally {
    beginning.end()
  }
}

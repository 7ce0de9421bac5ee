import {
  buildAnswer,
  buildTurn,
  toChatPatch,
  toFirstTitle,
  type Turn,
  turnMessages,
} from './build-turn.ts'
import type { ChatDeps } from './chat-deps.ts'
import {
  type ChatMessage,
  type ChatModel,
  type ChatState,
  type ChatStore,
  isTemporaryId,
  patchMessage,
  withTurn,
} from './chat-store.ts'
import { comparedQuestion, isMerged } from './comparison.ts'
import { mergeAnswers } from './merge-answers.ts'
import { keepChosenTools, presetOf } from './tools/chosen-tools.ts'
import { readBackTo } from './load-chat.ts'
import { failAnswer, runAnswers } from './run-answer.ts'
import { contextOf, shorten, type ShorterContext } from './shorter-context.ts'

/** Told once the messages are stored, with the question among them, so that its draft may go. */
type Acknowledged = (chatId: string, question: string) => void

/**
 * Stores new messages, with the chat when they are its first; a temporary chat stays in this
 * window.
 */
async function storeTurn(store: ChatStore, deps: ChatDeps, turn: Turn): Promise<string> {
  const { chatId, params } = store.getState()
  if (chatId !== null && isTemporaryId(chatId)) return chatId
  const patch = toChatPatch(turn)
  if (chatId !== null) {
    await deps.api.update(chatId, patch)
    return chatId
  }
  const title = toFirstTitle(turn.question?.content ?? '')
  const chosen = Object.keys(params).length > 0 ? { params } : {}
  const created = await deps.api.create({
    ...patch,
    ...chosen,
    title,
    timestamp: deps.now() * 1000,
  })
  store.setState({ chatId: created.id, title: created.title })
  keepChosenTools(created.id, store.getState().tools)
  keepChosenTools(null, null)
  return created.id
}

function markSent(store: ChatStore, messages: readonly ChatMessage[]): void {
  store.setState(
    (state) =>
      messages.reduce(
        (next, message) => patchMessage(next, message.id, { unsent: undefined }),
        state,
      ),
    true,
  )
}

function showTurn(
  state: ChatState,
  parentId: string | null,
  { question, answers }: Turn,
): ChatState {
  const [first, ...beside] = answers
  return withTurn(state, parentId, [...(question ? [question] : []), first!], beside)
}

async function deliverTurn(
  store: ChatStore,
  deps: ChatDeps,
  turn: Turn,
  acknowledged?: Acknowledged,
): Promise<void> {
  const isFirst = turn.question?.parentId === null
  try {
    const chatId = await storeTurn(store, deps, turn)
    markSent(store, turnMessages(turn))
    acknowledged?.(chatId, turn.question?.content ?? '')
  } catch (thrown) {
    for (const answer of turn.answers) failAnswer(store, answer.id, thrown)
    return
  }
  await runAnswers(store, deps, { answers: turn.answers, isFirst })
}

export interface NewMessage {
  readonly text: string
  readonly model: ChatModel
  /** Further models that answer the same question beside it. */
  readonly others?: readonly ChatModel[]
  /** What is attached, as it is stored. */
  readonly files?: readonly unknown[]
  readonly acknowledged?: Acknowledged
}

/**
 * Shows the message and an empty answer of each model at once, stores them and asks for the
 * answers.
 */
export async function sendMessage(
  store: ChatStore,
  deps: ChatDeps,
  message: NewMessage,
): Promise<void> {
  const { text, model, others = [], files, acknowledged } = message
  const parentId = store.getState().order.at(-1) ?? null
  // From its first message on a chat has tools of its own, whatever model is chosen later.
  const preset = presetOf(model)
  const isPreset = preset.toolIds.length + preset.featureIds.length > 0
  if (store.getState().tools === null && isPreset) store.setState({ tools: preset })
  const turn = buildTurn(deps, { parentId, text, models: [model, ...others], files })
  store.setState((state) => showTurn(state, parentId, turn), true)
  await deliverTurn(store, deps, turn, acknowledged)
}

/**
 * Asks the changed question beside the old one, with the files of the old one unless others are
 * named; the old branch stays.
 */
export async function editMessage(
  store: ChatStore,
  deps: ChatDeps,
  edit: Pick<NewMessage, 'text' | 'model' | 'others' | 'files'> & { messageId: string },
): Promise<void> {
  const original = store.getState().messages[edit.messageId]
  if (!original) return
  const parentId = original.parentId ?? null
  const models = [edit.model, ...(edit.others ?? [])]
  const turn = buildTurn(deps, {
    parentId,
    text: edit.text,
    models,
    siblingIds: original.siblingIds,
    files: edit.files ?? original.files,
  })
  store.setState((state) => showTurn(state, parentId, turn), true)
  await deliverTurn(store, deps, turn)
}

/** Where answers stand side by side, each is written again by its own model. */
function modelOf(state: ChatState, answer: ChatMessage, chosen: ChatModel): ChatModel {
  if (!comparedQuestion(state, answer) || isMerged(answer) || answer.model === undefined)
    return chosen
  return { id: answer.model, name: answer.modelName ?? answer.model, isLocal: chosen.isLocal }
}

/** Writes another answer beside an old one; the old one stays. */
export async function regenerateAnswer(
  store: ChatStore,
  deps: ChatDeps,
  again: { answerId: string; model: ChatModel; context?: ShorterContext },
): Promise<void> {
  const state = store.getState()
  const original = state.messages[again.answerId]
  if (!original) return
  if (isMerged(original)) return mergeAnswers(store, deps, again)
  const parentId = original.parentId ?? null
  const { siblingIds, modelIdx } = original
  const built = buildAnswer(deps, modelOf(state, original, again.model), {
    parentId,
    siblingIds,
    modelIdx,
  })
  const answer = { ...built, ...(again.context ?? contextOf(original)) }
  store.setState((now) => withTurn(now, parentId, [answer]), true)
  await deliverTurn(store, deps, { question: null, answers: [answer] })
}

/** Asks again without the older half of the conversation, which was too long for the model. */
export async function retryShorter(
  store: ChatStore,
  deps: ChatDeps,
  again: { answerId: string; model: ChatModel },
): Promise<void> {
  await readBackTo(store, deps)
  const context = shorten(store.getState(), again.answerId)
  if (context) await regenerateAnswer(store, deps, { ...again, context })
}

/**
 * Tries failed answers again: the same messages when they were never stored, else a new answer
 * beside it.
 */
export async function retryAnswer(
  store: ChatStore,
  deps: ChatDeps,
  again: { answerId: string; model: ChatModel; acknowledged?: Acknowledged },
): Promise<void> {
  const { messages: shown } = store.getState()
  const failed = shown[again.answerId]
  if (!failed?.unsent || isMerged(failed)) return regenerateAnswer(store, deps, again)
  const asked = failed.parentId ? shown[failed.parentId] : undefined
  const question = asked?.unsent ? asked : null
  const unsent = failed.siblingIds.flatMap((id) => (shown[id]?.unsent ? [shown[id]] : []))
  const answers = unsent.map(({ error: _error, ...answer }): ChatMessage => {
    const model = unsent.length === 1 ? { model: again.model.id, modelName: again.model.name } : {}
    return { ...answer, ...model, content: '', done: false }
  })
  const turn: Turn = {
    question:
      question && answers.length === 1 ? { ...question, models: [again.model.id] } : question,
    answers,
  }
  store.setState((state) => showTurn(state, turnMessages(turn)[0]?.parentId ?? null, turn), true)
  await deliverTurn(store, deps, turn, again.acknowledged)
}

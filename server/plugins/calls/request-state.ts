import type { ChatCompletionRequest } from '#contract/completions.ts'
import { hasModel, type RequestContext } from '../../extensions/request-context.ts'
import type { CallOrigin } from '../../lib/call-origin.ts'
import { functionCallingOf, type FunctionCalling } from '../../lib/function-calling.ts'
import { newId } from '../../lib/ids.ts'
import type { Fields } from '../../lib/is-record.ts'

/**
 * State shared by the plugins of one request: `__metadata__` is one live object from the first
 * filter to the last tool.
 */
export interface RequestState {
  metadata: Fields
  /** True when the metadata holds what is known of the prepared request. */
  isPrepared: boolean
  /** Separates data that plugins store on themselves from other requests. */
  readonly scope: string
  /** Recipient of events: the request, then its outlets, which note what is written meanwhile. */
  contact: Pick<CallOrigin, 'tell'>
}

const states = new WeakMap<object, RequestState>()

/** States of requests whose outlets may still run, by their answer. */
const recent = new Map<string, RequestState>()
const MOST_RECENT = 500

const placeOf = ({ caller, chatId, messageId }: CallOrigin): string | null =>
  chatId === null || messageId === null ? null : `${caller.userId} ${chatId} ${messageId}`

function remember(origin: CallOrigin, state: RequestState): RequestState {
  states.set(origin, state)
  const place = placeOf(origin)
  if (place !== null && origin.task === null) {
    recent.delete(place)
    recent.set(place, state)
    if (recent.size > MOST_RECENT) recent.delete(recent.keys().next().value!)
  }
  return state
}

/**
 * Returns `__metadata__["model"]`, the model as shown in lists, which only completions have
 * resolved already.
 */
function modelOf(origin: CallOrigin): unknown {
  const { model } = origin.sent
  return hasModel(origin) ? origin.resolved.entry : { id: model, name: model }
}

function callingOf(origin: CallOrigin): FunctionCalling {
  const { preset, model } = hasModel(origin) ? origin.resolved : {}
  return functionCallingOf({
    params: origin.sent.params,
    preset: preset?.params,
    capabilities: model?.capabilities,
  })
}

/** Returns the question and its place in the chat, as named by the request. */
function placeInChat({ user_message, parent_message, parent_id, folder_id }: CallOrigin['sent']) {
  const question = user_message ?? parent_message ?? null
  return {
    user_message: question,
    user_message_id: question?.id ?? null,
    parent_message: question,
    parent_message_id: parent_id ?? null,
    folder_id: folder_id ?? null,
  }
}

/**
 * Returns what is known of a request when its inlets have run. The host adds a function to each of
 * the tools that calls it.
 */
function describePrepared(prepare: NonNullable<RequestContext['prepared']>): Fields {
  const { userPrompt, systemPrompt, sources, tools } = prepare()
  return {
    user_prompt: userPrompt,
    system_prompt: systemPrompt,
    sources: [...sources],
    tools: Object.fromEntries(
      tools.map(({ toolId, spec }) => [spec.name, { tool_id: toolId, spec }]),
    ),
  }
}

function createMetadata(origin: CallOrigin): Fields {
  const { sent, caller, chatId, messageId, sessionId, task } = origin
  const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
  return {
    user_id: caller.userId,
    chat_id: chatId ?? '',
    message_id: messageId ?? '',
    session_id: sessionId ?? '',
    filter_ids: list(sent.filter_ids),
    tool_ids: list(sent.tool_ids),
    tool_servers: [],
    files: list(sent.files),
    features: sent.features ?? {},
    variables: sent.variables ?? {},
    model: modelOf(origin),
    direct: false,
    function_calling: callingOf(origin),
    params: { ...sent.params, function_calling: callingOf(origin) },
    ...placeInChat(sent),
    ...(task !== null && { task, task_body: sent }),
  }
}

/** Returns the state of the request a plugin takes part in. */
export function stateOf(origin: CallOrigin): RequestState {
  const known = states.get(origin)
  const state =
    known ??
    remember(origin, {
      metadata: createMetadata(origin),
      isPrepared: false,
      scope: newId(),
      contact: origin,
    })
  if (!state.isPrepared && hasModel(origin) && origin.prepared) {
    state.isPrepared = true
    state.metadata = { ...state.metadata, ...describePrepared(origin.prepared) }
  }
  return state
}

/**
 * Returns the state for an outlet: that of the request that wrote the answer, while it is
 * remembered.
 */
export function resumeState(origin: CallOrigin): RequestState {
  const known = recent.get(placeOf(origin) ?? '')
  if (!known) return stateOf(origin)
  known.contact = origin
  return remember(origin, known)
}

/** Returns the files of a request in the form passed to plugins. */
export const filesOf = (sent: ChatCompletionRequest): readonly unknown[] =>
  Array.isArray(sent.files) ? sent.files : []

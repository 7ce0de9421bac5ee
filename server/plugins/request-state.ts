import type { ChatCompletionRequest } from '#contract/completions.ts'
import { hasModel } from '../extensions/request-context.ts'
import type { CallOrigin } from '../lib/call-origin.ts'
import { functionCallingOf, type FunctionCalling } from '../lib/function-calling.ts'
import { newId } from '../lib/ids.ts'

type Fields = Record<string, unknown>

/**
 * What the plugins of one request share: `__metadata__` is one live object from the first filter to
 * the last tool.
 */
export interface RequestState {
  metadata: Fields
  /** Keeps what plugins store on themselves apart from other requests. */
  readonly scope: string
}

const states = new WeakMap<object, RequestState>()

/** Requests whose outlets may come yet, by the answer they are about. */
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
 * `__metadata__["model"]` is the model as lists show it, which only completions have found already.
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
    ...(task !== null && { task, task_body: sent }),
  }
}

/** The state of the request a plugin takes part in. */
export function stateOf(origin: CallOrigin): RequestState {
  return (
    states.get(origin) ?? remember(origin, { metadata: createMetadata(origin), scope: newId() })
  )
}

/**
 * The state for an outlet: that of the request that wrote the answer, as long as it is remembered.
 */
export function resumeState(origin: CallOrigin): RequestState {
  const known = recent.get(placeOf(origin) ?? '')
  return known ? remember(origin, known) : stateOf(origin)
}

/** The files of a request as plugins are given them. */
export const filesOf = (sent: ChatCompletionRequest): readonly unknown[] =>
  Array.isArray(sent.files) ? sent.files : []

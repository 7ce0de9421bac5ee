import type { ChatCompletionRequest } from '#contract/completions.ts'
import { hasModel } from '../../extensions/request-context.ts'
import type { CallOrigin } from '../../lib/call-origin.ts'
import { functionCallingOf, type FunctionCalling } from '../../lib/function-calling.ts'
import { newId } from '../../lib/ids.ts'

type Fields = Record<string, unknown>

/**
 * State shared by the plugins of one request: `__metadata__` is one live object from the first
 * filter to the last tool.
 */
export interface RequestState {
  metadata: Fields
  /** Separates data that plugins store on themselves from other requests. */
  readonly scope: string
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

/** Returns the state of the request a plugin takes part in. */
export function stateOf(origin: CallOrigin): RequestState {
  return (
    states.get(origin) ?? remember(origin, { metadata: createMetadata(origin), scope: newId() })
  )
}

/**
 * Returns the state for an outlet: that of the request that wrote the answer, while it is
 * remembered.
 */
export function resumeState(origin: CallOrigin): RequestState {
  const known = recent.get(placeOf(origin) ?? '')
  return known ? remember(origin, known) : stateOf(origin)
}

/** Returns the files of a request in the form passed to plugins. */
export const filesOf = (sent: ChatCompletionRequest): readonly unknown[] =>
  Array.isArray(sent.files) ? sent.files : []

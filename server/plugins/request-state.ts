import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { CallOrigin } from '../lib/call-origin.ts'
import { newId } from '../lib/ids.ts'

type Fields = Record<string, unknown>

/** What the plugins of one request share: `__metadata__` is one live object from the first filter to the last tool. */
export interface RequestState {
  metadata: Fields
  /** Keeps what plugins store on themselves apart from other requests. */
  readonly scope: string
}

const states = new WeakMap<object, RequestState>()

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
    model: sent.model,
    direct: false,
    params: sent.params ?? {},
    ...(task !== null && { task, task_body: sent }),
  }
}

/** The state of the request a plugin takes part in. */
export function stateOf(origin: CallOrigin): RequestState {
  const known = states.get(origin)
  if (known) return known
  const state = { metadata: createMetadata(origin), scope: newId() }
  states.set(origin, state)
  return state
}

/** The files of a request as plugins are given them. */
export const filesOf = (sent: ChatCompletionRequest): readonly unknown[] => (Array.isArray(sent.files) ? sent.files : [])

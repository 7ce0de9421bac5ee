import type { EventData } from '#contract/events.ts'
import { type ChatMessage, type ChatState, patchMessage } from './chat-store.ts'

/** An event of the chat on the screen. */
export interface ChatEvent {
  readonly message_id: string | null
  readonly data: EventData
}

type Fields = Readonly<Record<string, unknown>>

const toFields = (data: unknown): Fields => (typeof data === 'object' && data !== null ? (data as Fields) : {})
const toText = (value: unknown): string => (typeof value === 'string' ? value : '')
const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const stale = (state: ChatState): ChatState => (state.isStale ? state : { ...state, isStale: true })

/** Appends what the text does not have yet; null when something before the delta is missing. */
export function appendDelta(text: string, delta: string, offset: unknown): string | null {
  if (typeof offset !== 'number' || offset === text.length) return text + delta
  if (offset > text.length) return null
  const known = text.length - offset
  return known >= delta.length ? text : text + delta.slice(known)
}

function applyDelta(state: ChatState, message: ChatMessage, field: 'content' | 'reasoning_content', data: Fields): ChatState {
  const text = message[field] ?? ''
  const grown = appendDelta(text, toText(data.content), data.offset)
  if (grown === null) return stale(state)
  return grown === text ? state : patchMessage(state, message.id, { [field]: grown })
}

function applyCompletion(state: ChatState, message: ChatMessage, data: Fields): ChatState {
  if (data.done !== true) return state
  const patch: Partial<ChatMessage> = { done: true }
  if (typeof data.content === 'string') patch.content = data.content
  for (const field of ['reasoning_content', 'reasoning_seconds', 'answer_seconds', 'usage', 'error', 'sources'] as const) {
    if (data[field] !== undefined && data[field] !== null) patch[field] = data[field] as never
  }
  return patchMessage(state, message.id, patch)
}

function applyEmbeds(state: ChatState, message: ChatMessage, data: Fields): ChatState {
  const added = toList(data.embeds).filter((embed): embed is string => typeof embed === 'string')
  return patchMessage(state, message.id, { embeds: data.replace === true ? added : [...(message.embeds ?? []), ...added] })
}

type MessageEvent = (state: ChatState, message: ChatMessage, data: Fields) => ChatState

const replaceContent: MessageEvent = (state, message, data) => patchMessage(state, message.id, { content: toText(data.content) })
const addFiles: MessageEvent = (state, message, data) =>
  patchMessage(state, message.id, { files: [...(message.files ?? []), ...toList(data.files)] })
const addSource: MessageEvent = (state, message, data) => patchMessage(state, message.id, { sources: [...(message.sources ?? []), data] })

const addFollowUps: MessageEvent = (state, message, data) =>
  patchMessage(state, message.id, { followUps: toList(data.follow_ups).filter((text) => typeof text === 'string') })

const messageEvents = new Map<string, MessageEvent>([
  ['chat:message:delta', (state, message, data) => applyDelta(state, message, 'content', data)],
  ['message', (state, message, data) => applyDelta(state, message, 'content', data)],
  ['chat:reasoning:delta', (state, message, data) => applyDelta(state, message, 'reasoning_content', data)],
  ['chat:completion', applyCompletion],
  ['chat:message', replaceContent],
  ['replace', replaceContent],
  ['status', (state, message, data) => patchMessage(state, message.id, { statusHistory: [...(message.statusHistory ?? []), { ...data }] })],
  ['embeds', applyEmbeds],
  ['chat:message:embeds', applyEmbeds],
  ['files', addFiles],
  ['chat:message:files', (state, message, data) => patchMessage(state, message.id, { files: toList(data.files) })],
  ['chat:message:follow_ups', addFollowUps],
  ['source', addSource],
  ['citation', addSource],
])

/** Texts that a filter changed after the answer was complete. */
function applyOutlet(state: ChatState, data: Fields): ChatState {
  const changed = toList(data.messages).map(toFields)
  return changed.reduce<ChatState>(
    (next, { id, content }) => (typeof id === 'string' && typeof content === 'string' ? patchMessage(next, id, { content }) : next),
    state,
  )
}

/** A message added elsewhere either continues the branch on the screen, or the branch is read again. */
function applyCreated(state: ChatState, data: Fields): ChatState {
  const created = data.message as ChatMessage | undefined
  if (!created || typeof created.id !== 'string' || state.messages[created.id]) return state
  const last = state.order.at(-1) ?? null
  if ((created.parentId ?? null) !== last) return stale(state)
  return {
    ...state,
    order: [...state.order, created.id],
    messages: { ...state.messages, [created.id]: { ...created, siblingIds: [created.id] } },
  }
}

/** The state after one event. An event for a message that is not on this branch changes nothing. */
export function applyEvent(state: ChatState, event: ChatEvent): ChatState {
  const { type, data } = event.data
  const fields = toFields(data)
  if (type === 'chat:title') return { ...state, title: typeof data === 'string' ? data : toText(fields.title) || state.title }
  if (type === 'chat:outlet') return applyOutlet(state, fields)
  if (type === 'chat:message:created') return applyCreated(state, fields)
  const message = event.message_id === null ? undefined : state.messages[event.message_id]
  if (!message) return state
  return messageEvents.get(type)?.(state, message, fields) ?? state
}

import type { EventData } from '#contract/events.ts'
import { type ChatMessage, type ChatState, patchMessage } from './chat-store.ts'

/** An event of the chat on the screen. */
export interface ChatEvent {
  readonly message_id: string | null
  readonly data: EventData
}

type Fields = Readonly<Record<string, unknown>>

const toFields = (data: unknown): Fields =>
  typeof data === 'object' && data !== null ? (data as Fields) : {}
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

function applyDelta(
  state: ChatState,
  message: ChatMessage,
  field: 'content' | 'reasoning_content',
  data: Fields,
): ChatState {
  const text = message[field] ?? ''
  const grown = appendDelta(text, toText(data.content), data.offset)
  if (grown === null) return stale(state)
  return grown === text ? state : patchMessage(state, message.id, { [field]: grown })
}

function applyCompletion(state: ChatState, message: ChatMessage, data: Fields): ChatState {
  if (data.done !== true) return state
  const patch: Partial<ChatMessage> = { done: true }
  if (typeof data.content === 'string') patch.content = data.content
  for (const field of [
    'reasoning_content',
    'reasoning_seconds',
    'answer_seconds',
    'usage',
    'error',
    'sources',
  ] as const) {
    if (data[field] !== undefined && data[field] !== null) patch[field] = data[field] as never
  }
  return patchMessage(state, message.id, patch)
}

interface Addition {
  readonly field: 'statusHistory' | 'sources' | 'files' | 'embeds'
  readonly added: readonly unknown[]
  /** Where the first one is stored, if that is known. */
  readonly index: unknown
}

/**
 * Adds to a list of a message what stands there from `index` on. What the message was read with
 * already is not taken twice, and a gap means that something was missed on the way.
 */
function addToList(
  state: ChatState,
  message: ChatMessage,
  { field, added, index }: Addition,
): ChatState {
  const known: readonly unknown[] = message[field] ?? []
  const place = typeof index === 'number' ? index : known.length
  if (place > known.length) return stale(state)
  const fresh = added.slice(known.length - place)
  return fresh.length === 0
    ? state
    : patchMessage(state, message.id, { [field]: [...known, ...fresh] })
}

type MessageEvent = (
  state: ChatState,
  message: ChatMessage,
  data: Fields,
  index: unknown,
) => ChatState

const toEmbeds = (data: Fields): string[] =>
  toList(data.embeds).filter((embed): embed is string => typeof embed === 'string')

const applyEmbeds: MessageEvent = (state, message, data, index) =>
  data.replace === true
    ? patchMessage(state, message.id, { embeds: toEmbeds(data) })
    : addToList(state, message, { field: 'embeds', added: toEmbeds(data), index })

const replaceContent: MessageEvent = (state, message, data) =>
  patchMessage(state, message.id, { content: toText(data.content) })
const setFiles: MessageEvent = (state, message, data) =>
  patchMessage(state, message.id, { files: toList(data.files) })
const addFiles: MessageEvent = (state, message, data, index) =>
  data.replace === true
    ? setFiles(state, message, data, index)
    : addToList(state, message, { field: 'files', added: toList(data.files), index })

/**
 * What running code gave stands in a list of its own, where a later event about the same run takes
 * the place of the earlier one.
 */
function addSource(
  state: ChatState,
  message: ChatMessage,
  data: Fields,
  index: unknown,
): ChatState {
  if (data.type !== 'code_execution')
    return addToList(state, message, { field: 'sources', added: [data], index })
  const runs = toList(message.code_executions)
  const place = runs.findIndex((run) => toFields(run).id === data.id)
  return patchMessage(state, message.id, {
    code_executions: place === -1 ? [...runs, data] : runs.with(place, data),
  })
}

const setFavorite: MessageEvent = (state, message, data) =>
  patchMessage(state, message.id, { favorite: data.favorite === true })

const setError: MessageEvent = (state, message, data) => {
  const error = toFields(data.error)
  return patchMessage(state, message.id, {
    error: { ...error, content: toText(error.content) || toText(data.error) },
    done: true,
  })
}

const addFollowUps: MessageEvent = (state, message, data) =>
  patchMessage(state, message.id, {
    followUps: toList(data.follow_ups).filter((text) => typeof text === 'string'),
  })

const messageEvents = new Map<string, MessageEvent>([
  ['chat:message:delta', (state, message, data) => applyDelta(state, message, 'content', data)],
  ['message', (state, message, data) => applyDelta(state, message, 'content', data)],
  [
    'chat:reasoning:delta',
    (state, message, data) => applyDelta(state, message, 'reasoning_content', data),
  ],
  ['chat:completion', applyCompletion],
  ['chat:message', replaceContent],
  ['replace', replaceContent],
  [
    'status',
    (state, message, data, index) =>
      addToList(state, message, { field: 'statusHistory', added: [{ ...data }], index }),
  ],
  ['embeds', applyEmbeds],
  ['chat:message:embeds', applyEmbeds],
  ['files', addFiles],
  ['chat:message:files', setFiles],
  ['chat:message:follow_ups', addFollowUps],
  ['chat:message:favorite', setFavorite],
  ['chat:message:error', setError],
  ['source', addSource],
  ['citation', addSource],
])

/** Texts that a filter changed after the answer was complete. */
function applyOutlet(state: ChatState, data: Fields): ChatState {
  const changed = toList(data.messages).map(toFields)
  return changed.reduce<ChatState>(
    (next, { id, content }) =>
      typeof id === 'string' && typeof content === 'string'
        ? patchMessage(next, id, { content })
        : next,
    state,
  )
}

/**
 * A message added elsewhere either continues the branch on the screen, or the branch is read again.
 */
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
  const { type, data, index } = event.data
  const fields = toFields(data)
  if (type === 'chat:title')
    return {
      ...state,
      title: typeof data === 'string' ? data : toText(fields.title) || state.title,
    }
  if (type === 'chat:outlet') return applyOutlet(state, fields)
  if (type === 'chat:message:created') return applyCreated(state, fields)
  const message = event.message_id === null ? undefined : state.messages[event.message_id]
  if (!message) return state
  return messageEvents.get(type)?.(state, message, fields, index) ?? state
}

import { isOwn, readChange } from '#contract/event-effects.ts'
import type { EventData, OwnEvent } from '#contract/events.ts'
import { type ChatMessage, type ChatState, isGrowing, patchMessage } from './chat-store.ts'

/** An event of the chat on the screen. */
export interface ChatEvent {
  readonly message_id: string | null
  readonly data: EventData
}

type Event<Type extends EventData['type']> = Extract<EventData, { type: Type }>

const stale = (state: ChatState): ChatState => (state.isStale ? state : { ...state, isStale: true })

/**
 * Appends the part of the delta the text does not contain yet; returns null if text before the
 * delta is missing.
 */
export function appendDelta(text: string, delta: string, offset?: number): string | null {
  if (offset === undefined || offset === text.length) return text + delta
  if (offset > text.length) return null
  const known = text.length - offset
  return known >= delta.length ? text : text + delta.slice(known)
}

function applyDelta(
  state: ChatState,
  message: ChatMessage,
  field: 'content' | 'reasoning_content',
  { content, offset }: { readonly content: string; readonly offset?: number },
): ChatState {
  const text = message[field] ?? ''
  const grown = appendDelta(text, content, offset)
  if (grown === null) return stale(state)
  return grown === text ? state : patchMessage(state, message.id, { [field]: grown })
}

const COMPLETED = [
  'content',
  'reasoning_content',
  'reasoning_seconds',
  'answer_seconds',
  'usage',
  'finish_reason',
  'error',
  'sources',
] as const

/** Returns the patch for a finished answer that is continued: resets the fields set at its end. */
export const goneOnWith = (): Partial<ChatMessage> => ({
  done: false,
  error: undefined,
  finish_reason: undefined,
  followUps: undefined,
})

function applyCompletion(
  state: ChatState,
  message: ChatMessage,
  data: Event<'chat:completion'>['data'],
): ChatState {
  if (!data.done) return isGrowing(message) ? state : patchMessage(state, message.id, goneOnWith())
  const known = COMPLETED.filter((field) => data[field] !== undefined)
  const fields = Object.fromEntries(known.map((field) => [field, data[field]]))
  return patchMessage(state, message.id, { ...fields, done: true })
}

interface Addition {
  readonly field: string
  readonly added: readonly unknown[]
  /** Index of the first entry in the stored list, if known. */
  readonly index: number | undefined
}

/**
 * Adds entries to a list of a message, starting at `index`. Entries the message already contains
 * are not added twice; a gap means that events were missed.
 */
function addToList(
  state: ChatState,
  message: ChatMessage,
  { field, added, index }: Addition,
): ChatState {
  const before = message[field]
  const known: readonly unknown[] = Array.isArray(before) ? before : []
  const place = index ?? known.length
  if (place > known.length) return stale(state)
  const fresh = added.slice(known.length - place)
  return fresh.length === 0
    ? state
    : patchMessage(state, message.id, { [field]: [...known, ...fresh] })
}

/**
 * Results of code runs are kept in a separate list, where a later event of the same run replaces
 * the earlier one.
 */
function addSource(
  state: ChatState,
  message: ChatMessage,
  { data, index }: Event<'source' | 'citation'>,
): ChatState {
  if (data['type'] !== 'code_execution')
    return addToList(state, message, { field: 'sources', added: [data], index })
  const runs = message.code_executions
  const known: readonly unknown[] = Array.isArray(runs) ? runs : []
  const isSame = (run: unknown): boolean =>
    typeof run === 'object' && run !== null && 'id' in run && run.id === data['id']
  const place = known.findIndex(isSame)
  return patchMessage(state, message.id, {
    code_executions: place === -1 ? [...known, data] : known.with(place, data),
  })
}

/** A pipe reports its error as a string or an object. */
function setError(
  state: ChatState,
  message: ChatMessage,
  { error }: Event<'chat:message:error'>['data'],
): ChatState {
  const fields = typeof error === 'string' ? { content: error } : error
  const content = typeof fields['content'] === 'string' ? fields['content'] : ''
  return patchMessage(state, message.id, { error: { ...fields, content }, done: true })
}

/** Applies texts that a filter changed after the answer was complete. */
const applyOutlet = (state: ChatState, { messages }: Event<'chat:outlet'>['data']): ChatState =>
  messages.reduce((next, { id, content }) => patchMessage(next, id, { content }), state)

/** A message added elsewhere either continues the branch on screen, or the branch is reloaded. */
function applyCreated(
  state: ChatState,
  { message: created }: Event<'chat:message:created'>['data'],
): ChatState {
  if (state.messages[created.id]) return state
  const last = state.order.at(-1) ?? null
  if ((created.parentId ?? null) !== last) return stale(state)
  return {
    ...state,
    order: [...state.order, created.id],
    messages: { ...state.messages, [created.id]: { ...created, siblingIds: [created.id] } },
  }
}

/** Exhaustive: an event with code of its own must define here how a message shows it. */
function applyOwn(state: ChatState, message: ChatMessage, event: OwnEvent): ChatState {
  const patch = (fields: Partial<ChatMessage>) => patchMessage(state, message.id, fields)
  switch (event.type) {
    case 'chat:message:delta':
    case 'message':
      return applyDelta(state, message, 'content', event.data)
    case 'chat:reasoning:delta':
      return applyDelta(state, message, 'reasoning_content', event.data)
    case 'chat:completion':
      return applyCompletion(state, message, event.data)
    case 'chat:message':
    case 'replace':
      return patch({ content: event.data.content })
    case 'chat:message:favorite':
      return patch({ favorite: event.data.favorite === true })
    case 'chat:message:error':
      return setError(state, message, event.data)
    case 'source':
    case 'citation':
      return addSource(state, message, event)
    default:
      return event satisfies never
  }
}

/**
 * Applies an event to a message by its row in `EVENT_EFFECTS`. Types without a row are sent by a
 * plugin for another client, or by a newer gateway.
 */
function applyToMessage(state: ChatState, message: ChatMessage, event: EventData): ChatState {
  if (isOwn(event)) return applyOwn(state, message, event)
  const change = readChange(event)
  if (change === null) return state
  const { field, added, value } = change
  return added === null
    ? patchMessage(state, message.id, { [field]: value })
    : addToList(state, message, { field, added, index: event.index })
}

/** Returns the state after one event. An event for a message outside this branch has no effect. */
export function applyEvent(state: ChatState, { message_id: id, data }: ChatEvent): ChatState {
  switch (data.type) {
    case 'chat:title':
      return { ...state, title: typeof data.data === 'string' ? data.data : data.data.title }
    case 'chat:outlet':
      return applyOutlet(state, data.data)
    case 'chat:message:created':
      return applyCreated(state, data.data)
    default: {
      const message = id === null ? undefined : state.messages[id]
      return message ? applyToMessage(state, message, data) : state
    }
  }
}

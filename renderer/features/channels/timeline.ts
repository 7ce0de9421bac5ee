import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ListedMessage } from '#contract/channel-messages.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { type ShownMessage, toShown } from './shown-message.ts'

export const PAGE = 50

export interface TimelineState {
  readonly status: 'loading' | 'ready' | 'failed'
  readonly problem: string | null
  /** A stretch of the messages without gaps, the oldest first. */
  readonly messages: readonly ShownMessage[]
  readonly hasOlder: boolean
  /** Whether the stretch ends before the newest message; new ones are then read, not put in. */
  readonly hasNewer: boolean
  readonly reading: 'older' | 'newer' | null
  /** The first message that was unread when it was opened; a line stands above it. */
  readonly firstUnreadId: string | null
  /** How many messages of others have come since the stretch was read. */
  readonly arrived: number
}

export type TimelineStore = StoreApi<TimelineState>

interface PageQuery {
  readonly before?: string
  readonly after?: string
  readonly around?: string
}

/** The messages of a channel, or those of one thread in it. */
export interface Timeline {
  readonly channelId: string
  /** The message the thread belongs to; null for the channel itself. */
  readonly parentId: string | null
  readonly store: TimelineStore
}

const EMPTY: TimelineState = {
  status: 'loading',
  problem: null,
  messages: [],
  hasOlder: false,
  hasNewer: false,
  reading: null,
  firstUnreadId: null,
  arrived: 0,
}

export const createTimeline = (channelId: string, parentId: string | null = null): Timeline => ({
  channelId,
  parentId,
  store: createStore<TimelineState>(() => EMPTY),
})

const byTime = (left: ShownMessage, right: ShownMessage): number =>
  left.created_at - right.created_at

/** Both lists as one, in order; what is in the second one is newer. */
function merge(
  known: readonly ShownMessage[],
  read: readonly ShownMessage[],
): readonly ShownMessage[] {
  const ids = new Set(read.map(({ id }) => id))
  return [...known.filter(({ id }) => !ids.has(id)), ...read].toSorted(byTime)
}

const isKept = ({ sending }: ShownMessage): boolean => sending === undefined

async function readPage(
  { channelId, parentId }: Timeline,
  query: PageQuery,
): Promise<{ messages: ShownMessage[]; isEnd: boolean }> {
  const input = { query: { limit: PAGE, ...query } }
  const rows: ListedMessage[] =
    parentId === null
      ? await call(endpoints.channels.messages, { params: { channel_id: channelId }, ...input })
      : await call(endpoints.channels.thread, {
          params: { channel_id: channelId, message_id: parentId },
          ...input,
        })
  // The message of a thread stands above its answers, behind the last page of them.
  const messages = rows.filter(({ id }) => id !== parentId).map(toShown)
  return {
    messages: messages.toReversed(),
    isEnd: rows.length < PAGE || messages.length < rows.length,
  }
}

/** Reads the stretch around a message, or the end. */
export async function openTimeline(
  timeline: Timeline,
  around: string | null = null,
): Promise<void> {
  const { store } = timeline
  try {
    const { messages, isEnd } = await readPage(timeline, around === null ? {} : { around })
    const waiting = store.getState().messages.filter((message) => !isKept(message))
    store.setState({
      status: 'ready',
      problem: null,
      messages: around === null ? merge(messages, waiting) : messages,
      hasOlder: around !== null || !isEnd,
      hasNewer: around !== null,
      reading: null,
      arrived: 0,
    })
  } catch (thrown) {
    store.setState({ status: 'failed', problem: toSentence(thrown), reading: null })
  }
}

/** Reads the page before or after the stretch. */
export async function readOn(timeline: Timeline, direction: 'older' | 'newer'): Promise<void> {
  const { store } = timeline
  const { messages, hasOlder, hasNewer, reading } = store.getState()
  const stored = messages.filter(isKept)
  const edge = direction === 'older' ? stored[0] : stored.at(-1)
  if (reading !== null || !edge || !(direction === 'older' ? hasOlder : hasNewer)) return
  store.setState({ reading: direction })
  try {
    const page = await readPage(
      timeline,
      direction === 'older' ? { before: edge.id } : { after: edge.id },
    )
    store.setState((state) => ({
      messages: merge(state.messages, page.messages),
      ...(direction === 'older' ? { hasOlder: !page.isEnd } : { hasNewer: !page.isEnd }),
    }))
  } finally {
    store.setState({ reading: null })
  }
}

/**
 * Reads the end again after messages may have been missed. What was read before stays when the two
 * meet; otherwise there is more to be read between them.
 */
export async function catchUp(timeline: Timeline): Promise<void> {
  const { store } = timeline
  if (store.getState().status !== 'ready') return openTimeline(timeline)
  if (store.getState().hasNewer) return
  const { messages, isEnd } = await readPage(timeline, {})
  store.setState((state) => {
    const ids = new Set(messages.map(({ id }) => id))
    const meets = isEnd || state.messages.some(({ id }) => ids.has(id))
    if (!meets) return { hasNewer: true }
    const from = messages[0]?.created_at ?? 0
    // What was deleted meanwhile is not in the page.
    const before = state.messages.filter(
      (message) => !isKept(message) || (message.created_at < from && !isEnd),
    )
    return { messages: merge(before, messages), hasOlder: isEnd ? false : state.hasOlder }
  })
}

/**
 * Puts a message in its place, or what is new of a known one. A new one beyond the stretch waits to
 * be read.
 */
export function putMessage(
  { store }: Timeline,
  message: ShownMessage,
  tempId: string | null = null,
): void {
  store.setState((state) => {
    const isKnown = state.messages.some(({ id }) => id === message.id)
    const isOwn =
      tempId !== null && state.messages.some(({ sending }) => sending?.tempId === tempId)
    if (!isKnown && !isOwn && state.hasNewer) return { arrived: state.arrived + 1 }
    const others = isOwn
      ? state.messages.filter(({ sending }) => sending?.tempId !== tempId)
      : state.messages
    if (isKnown)
      return { messages: others.map((each) => (each.id === message.id ? message : each)) }
    return { messages: [...others, message].toSorted(byTime), arrived: state.arrived + 1 }
  })
}

/**
 * Puts a message in the place of the one that was waiting for it; an event may have brought it
 * already, and more of it since.
 */
export function settleMessage(timeline: Timeline, message: ShownMessage, tempId: string): void {
  if (findMessage(timeline, message.id)) dropMessage(timeline, tempId)
  else putMessage(timeline, message, tempId)
}

/** Changes what is known of a message; nothing when it is not here. */
export function patchMessage(
  { store }: Timeline,
  id: string,
  change: (message: ShownMessage) => ShownMessage,
): void {
  if (!store.getState().messages.some((message) => message.id === id)) return
  store.setState(({ messages }) => ({
    messages: messages.map((message) => (message.id === id ? change(message) : message)),
  }))
}

export const dropMessage = ({ store }: Timeline, id: string): void =>
  store.setState(({ messages }) => ({ messages: messages.filter((message) => message.id !== id) }))

export const findMessage = ({ store }: Timeline, id: string): ShownMessage | null =>
  store.getState().messages.find((message) => message.id === id) ?? null

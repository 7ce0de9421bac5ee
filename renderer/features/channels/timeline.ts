import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ListedMessage } from '#contract/channel-messages.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { type ShownMessage, toShown } from './shown-message.ts'

export const PAGE = 50

export interface TimelineState {
  readonly status: 'loading' | 'ready' | 'failed'
  readonly problem: string | null
  /** A contiguous range of the messages, oldest first. */
  readonly messages: readonly ShownMessage[]
  readonly hasOlder: boolean
  /**
   * True if the range ends before the newest message; new ones are then loaded rather than
   * appended.
   */
  readonly hasNewer: boolean
  readonly reading: 'older' | 'newer' | null
  /** Id of the first message that was unread on opening; a line is shown above it. */
  readonly firstUnreadId: string | null
  /** Number of messages of others that arrived since the range was loaded. */
  readonly arrived: number
}

export type TimelineStore = StoreApi<TimelineState>

interface PageQuery {
  readonly before?: string
  readonly after?: string
  readonly around?: string
}

/** The messages of a channel, or of one of its threads. */
export interface Timeline {
  readonly channelId: string
  /** Id of the thread's parent message; null for the channel itself. */
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

/** Merges both lists in order; entries of the second one are newer. */
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
  // The parent message is shown above its replies, after their last page.
  const messages = rows.filter(({ id }) => id !== parentId).map(toShown)
  return {
    messages: messages.toReversed(),
    isEnd: rows.length < PAGE || messages.length < rows.length,
  }
}

/** Loads the range around a message, or the end. */
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

/** Loads the page before or after the range. */
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
 * Reloads the end after messages may have been missed. The previous range is kept if the two
 * overlap; otherwise the gap remains to be loaded.
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
    // The page does not contain messages deleted meanwhile.
    const before = state.messages.filter(
      (message) => !isKept(message) || (message.created_at < from && !isEnd),
    )
    return { messages: merge(before, messages), hasOlder: isEnd ? false : state.hasOlder }
  })
}

/**
 * Inserts a message at its position, or updates a known one. A new one outside the range is loaded
 * later.
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
 * Replaces the pending message by the stored one; an event may already have delivered it, and later
 * changes to it.
 */
export function settleMessage(timeline: Timeline, message: ShownMessage, tempId: string): void {
  if (findMessage(timeline, message.id)) dropMessage(timeline, tempId)
  else putMessage(timeline, message, tempId)
}

/** Updates a message; does nothing if it is not loaded. */
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

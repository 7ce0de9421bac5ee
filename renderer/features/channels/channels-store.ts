import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ListedChannel } from '#contract/channels.ts'
import type { ServerFrame } from '#contract/events.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'

export interface ChannelsState {
  readonly status: 'loading' | 'ready' | 'failed'
  readonly problem: string | null
  readonly channels: readonly ListedChannel[]
}

export type ChannelsStore = StoreApi<ChannelsState>
export type ChannelFrame = Extract<ServerFrame, { type: 'events:channel' }>

export const NO_CHANNELS: ChannelsState = Object.freeze({
  status: 'loading',
  problem: null,
  channels: [],
})

export const createChannelsStore = (): ChannelsStore =>
  createStore<ChannelsState>(() => NO_CHANNELS)

export const selectChannel =
  (id: string | null) =>
  ({ channels }: ChannelsState): ListedChannel | null =>
    channels.find((channel) => channel.id === id) ?? null

/** Reloads the list; on failure the previous one is kept. */
export async function loadChannels(store: ChannelsStore): Promise<void> {
  try {
    store.setState({
      channels: await call(endpoints.channels.list, {}),
      status: 'ready',
      problem: null,
    })
  } catch (thrown) {
    if (store.getState().status !== 'ready')
      store.setState({ status: 'failed', problem: toSentence(thrown) })
  }
}

/** Updates the list entry of one channel. */
export function patchChannel(
  store: ChannelsStore,
  id: string,
  patch: Partial<ListedChannel>,
): void {
  store.setState(({ channels }) => ({
    channels: channels.map((channel) => (channel.id === id ? { ...channel, ...patch } : channel)),
  }))
}

export const dropChannel = (store: ChannelsStore, id: string): void =>
  store.setState(({ channels }) => ({ channels: channels.filter((channel) => channel.id !== id) }))

async function setMark(
  store: ChannelsStore,
  id: string,
  body: { message_id: string } | { before_message_id: string | null },
): Promise<void> {
  const mark = await call(endpoints.channels.read, { params: { channel_id: id }, body })
  patchChannel(store, id, mark)
}

/** Moves the user's read mark after the last message, or before `firstUnreadId`. */
export const markRead = (
  store: ChannelsStore,
  id: string,
  firstUnreadId: string | null = null,
): Promise<void> => setMark(store, id, { before_message_id: firstUnreadId })

/** Minimum interval in ms between two read marks sent to the gateway. */
const TELL_EVERY = 1_000

interface Telling {
  at: number
  timer: ReturnType<typeof setTimeout> | null
  /** Id of the last message marked as read; null if none was sent since the list was loaded. */
  upTo: string | null
}

const tellings = new Map<string, Telling>()
/** Id of the latest reported message of each channel, including thread replies. */
const newest = new Map<string, string>()

/**
 * Marks everything as read: in the list immediately, at the gateway slightly later if messages
 * arrive quickly. If the user leaves the channel before, messages that arrive meanwhile stay
 * unread.
 */
export function noteRead(store: ChannelsStore, id: string): void {
  patchChannel(store, id, { unread_count: 0, mention_count: 0 })
  const telling = tellings.get(id) ?? { at: 0, timer: null, upTo: null }
  tellings.set(id, telling)
  telling.upTo = newest.get(id) ?? null
  if (telling.timer !== null) return
  const wait = Math.max(0, telling.at + TELL_EVERY - Date.now())
  telling.timer = setTimeout(() => {
    telling.timer = null
    telling.at = Date.now()
    const place = telling.upTo === null ? { before_message_id: null } : { message_id: telling.upTo }
    // A mark that was not stored is set again with the next message.
    void setMark(store, id, place).catch(() => undefined)
  }, wait)
}

/** Applies events of channels; `meId` is the id of the reader. */
export function applyListFrame(store: ChannelsStore, frame: ServerFrame, meId: string): void {
  if (frame.type !== 'events:channel') return
  const { channel_id: id, data: event } = frame
  const known = selectChannel(id)(store.getState())
  switch (event.type) {
    case 'message': {
      newest.set(id, event.data.id)
      // A conversation the user left is restored by the next message in it.
      if (!known) return void loadChannels(store)
      const isOwn =
        event.data.user_id === meId &&
        event.data.user?.role !== 'webhook' &&
        !event.data.meta?.model_id
      const last = { last_message_at: event.data.created_at }
      return patchChannel(
        store,
        id,
        isOwn ? last : { ...last, unread_count: known.unread_count + 1 },
      )
    }
    case 'mention':
      return known ? patchChannel(store, id, { mention_count: known.mention_count + 1 }) : undefined
    case 'channel:read':
      return patchChannel(store, id, event.data)
    case 'channel:created':
    case 'channel:updated':
    case 'channel:members':
      return void loadChannels(store)
    case 'channel:deleted':
    case 'channel:removed':
      return dropChannel(store, id)
    default:
      return undefined
  }
}

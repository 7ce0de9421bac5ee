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

/** Reads the list anew; one that is there stays when that fails. */
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

/** Changes what the list shows of one channel. */
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

/** Moves the mark of the person behind the last message, or before `firstUnreadId`. */
export async function markRead(
  store: ChannelsStore,
  id: string,
  firstUnreadId: string | null = null,
): Promise<void> {
  const mark = await call(endpoints.channels.read, {
    params: { channel_id: id },
    body: { before_message_id: firstUnreadId },
  })
  patchChannel(store, id, mark)
}

/** The gateway is told of what was read at most so often. */
const TELL_EVERY = 1_000

interface Telling {
  at: number
  timer: ReturnType<typeof setTimeout> | null
}

const tellings = new Map<string, Telling>()

/**
 * Notes that everything was read: in the list at once, at the gateway a moment later when messages
 * come quickly.
 */
export function noteRead(store: ChannelsStore, id: string): void {
  patchChannel(store, id, { unread_count: 0, mention_count: 0 })
  const telling = tellings.get(id) ?? { at: 0, timer: null }
  tellings.set(id, telling)
  if (telling.timer !== null) return
  const wait = Math.max(0, telling.at + TELL_EVERY - Date.now())
  telling.timer = setTimeout(() => {
    telling.timer = null
    telling.at = Date.now()
    // A mark that was not kept is set again with the next message.
    void markRead(store, id).catch(() => undefined)
  }, wait)
}

/** Follows what is told of channels; `meId` is who reads. */
export function applyListFrame(store: ChannelsStore, frame: ServerFrame, meId: string): void {
  if (frame.type !== 'events:channel') return
  const { channel_id: id, data: event } = frame
  const known = selectChannel(id)(store.getState())
  switch (event.type) {
    case 'message': {
      // A conversation somebody left comes back with the next message in it.
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

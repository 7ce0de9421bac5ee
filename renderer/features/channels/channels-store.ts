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

async function setMark(
  store: ChannelsStore,
  id: string,
  body: { message_id: string } | { before_message_id: string | null },
): Promise<void> {
  const mark = await call(endpoints.channels.read, { params: { channel_id: id }, body })
  patchChannel(store, id, mark)
}

/** Moves the mark of the person behind the last message, or before `firstUnreadId`. */
export const markRead = (
  store: ChannelsStore,
  id: string,
  firstUnreadId: string | null = null,
): Promise<void> => setMark(store, id, { before_message_id: firstUnreadId })

/** The gateway is told of what was read at most so often. */
const TELL_EVERY = 1_000

interface Telling {
  at: number
  timer: ReturnType<typeof setTimeout> | null
  /** The last message that was read; null when none was told of since the list was read. */
  upTo: string | null
}

const tellings = new Map<string, Telling>()
/** The last message that was told of in each channel, answers in threads included. */
const newest = new Map<string, string>()

/**
 * Notes that everything was read: in the list at once, at the gateway a moment later when messages
 * come quickly. Whoever leaves the channel before that has not read what comes meanwhile.
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
    // A mark that was not kept is set again with the next message.
    void setMark(store, id, place).catch(() => undefined)
  }, wait)
}

/** Follows what is told of channels; `meId` is who reads. */
export function applyListFrame(store: ChannelsStore, frame: ServerFrame, meId: string): void {
  if (frame.type !== 'events:channel') return
  const { channel_id: id, data: event } = frame
  const known = selectChannel(id)(store.getState())
  switch (event.type) {
    case 'message': {
      newest.set(id, event.data.id)
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

import { createStore, type StoreApi } from 'zustand/vanilla'
import type { OpenChannel } from '#contract/channels.ts'
import { ApiError, toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { translate } from '../../lib/i18n.ts'
import type { ChannelFrame } from './channels-store.ts'
import { type ShownMessage, toShown } from './shown-message.ts'
import {
  catchUp,
  createTimeline,
  dropMessage,
  openTimeline,
  PAGE,
  patchMessage,
  putMessage,
  type Timeline,
} from './timeline.ts'
import { createTypists, type Typists } from './typists.ts'

export interface RoomState {
  /** `gone`: deleted, or the user is no longer a member; `problem` states which. */
  readonly status: 'loading' | 'ready' | 'failed' | 'gone'
  readonly problem: string | null
  readonly channel: OpenChannel | null
  /** Current state of the message whose thread is open. */
  readonly parent: ShownMessage | null
  readonly thread: Timeline | null
  readonly threadProblem: string | null
  /** Counts changes to pins and members, so that their lists are reloaded. */
  readonly pinsVersion: number
  readonly membersVersion: number
}

/** An open channel: its details, messages, open thread, and typing users. */
export interface Room {
  readonly channelId: string
  readonly store: StoreApi<RoomState>
  readonly timeline: Timeline
  readonly typists: Typists
}

/** Number of unread messages that certainly fit on the last page. */
const NEAR_UNREAD = PAGE - 10

const EMPTY: RoomState = {
  status: 'loading',
  problem: null,
  channel: null,
  parent: null,
  thread: null,
  threadProblem: null,
  pinsVersion: 0,
  membersVersion: 0,
}

export const createRoom = (channelId: string): Room => ({
  channelId,
  store: createStore<RoomState>(() => EMPTY),
  timeline: createTimeline(channelId),
  typists: createTypists(),
})

const isOutOfReach = (thrown: unknown): boolean =>
  thrown instanceof ApiError && (thrown.status === 403 || thrown.status === 404)

/** Loads the channel's details. Resolves with null on failure; the state contains the reason. */
export async function readChannel({ channelId, store }: Room): Promise<OpenChannel | null> {
  try {
    const channel = await call(endpoints.channels.get, { params: { channel_id: channelId } })
    store.setState({ channel, status: 'ready', problem: null })
    return channel
  } catch (thrown) {
    if (isOutOfReach(thrown))
      store.setState({ status: 'gone', problem: translate('channels.gone.unknown') })
    else if (store.getState().channel === null)
      store.setState({ status: 'failed', problem: toSentence(thrown) })
    return null
  }
}

/** Opens a channel at a message, otherwise at the last read position, otherwise at its end. */
export async function openRoom(room: Room, messageId: string | null): Promise<void> {
  room.store.setState({ status: 'loading', problem: null })
  const channel = await readChannel(room)
  if (!channel) return
  room.timeline.store.setState({ firstUnreadId: channel.first_unread_id })
  const isFar = channel.unread_count > NEAR_UNREAD
  await openTimeline(room.timeline, messageId ?? (isFar ? channel.first_unread_id : null))
}

/** Opens the thread of a message, which may be outside the loaded range. */
export async function openThread(
  room: Room,
  parentId: string,
  around: string | null = null,
): Promise<void> {
  const { store, timeline, channelId } = room
  const known = timeline.store.getState().messages.find(({ id }) => id === parentId) ?? null
  const thread = createTimeline(channelId, parentId)
  store.setState({ thread, parent: known, threadProblem: null })
  const isShown = (): boolean => store.getState().thread === thread
  const readParent = async (): Promise<void> => {
    const parent = toShown(
      await call(endpoints.channels.getMessage, {
        params: { channel_id: channelId, message_id: parentId },
      }),
    )
    if (isShown()) store.setState({ parent })
  }
  try {
    await Promise.all([openTimeline(thread, around), known ? undefined : readParent()])
  } catch (thrown) {
    if (isShown())
      store.setState({
        threadProblem: isOutOfReach(thrown)
          ? translate('channels.thread.gone')
          : toSentence(thrown),
      })
  }
}

export const closeThread = ({ store }: Room): void =>
  store.setState({ thread: null, parent: null, threadProblem: null })

/** Reloads everything after messages may have been missed. */
export async function refreshRoom(room: Room): Promise<void> {
  const { thread } = room.store.getState()
  await Promise.all([readChannel(room), catchUp(room.timeline), thread && catchUp(thread)])
}

/** Returns the open timelines of a room. */
export const timelinesOf = ({ timeline, store }: Room): readonly Timeline[] => {
  const { thread } = store.getState()
  return thread ? [timeline, thread] : [timeline]
}

/** Applies a change to a message in all timelines that contain it. */
export function changeEverywhere(
  room: Room,
  id: string,
  change: (message: ShownMessage) => ShownMessage,
): void {
  for (const timeline of timelinesOf(room)) patchMessage(timeline, id, change)
  room.store.setState(({ parent }) => (parent?.id === id ? { parent: change(parent) } : {}))
}

function putNew(room: Room, message: ShownMessage, tempId: string | null): void {
  const { thread } = room.store.getState()
  if (message.parent_id === null) putMessage(room.timeline, message, tempId)
  else if (thread?.parentId === message.parent_id) putMessage(thread, message, tempId)
  room.typists.forget(message.user_id, message.parent_id)
}

/**
 * A streaming answer may arrive with fewer counts than already known; only its own content is
 * applied.
 */
const withNew =
  (fresh: ShownMessage) =>
  (known: ShownMessage): ShownMessage => ({ ...known, ...fresh, sending: undefined })

function drop(room: Room, id: string): void {
  for (const timeline of timelinesOf(room)) dropMessage(timeline, id)
  if (room.store.getState().parent?.id === id) closeThread(room)
}

/** Applies events of this channel. */
export function applyRoomFrame(room: Room, { data: event, user }: ChannelFrame): void {
  switch (event.type) {
    case 'message':
      return putNew(room, toShown(event.data), event.data.temp_id ?? null)
    case 'message:pin':
      room.store.setState(({ pinsVersion }) => ({ pinsVersion: pinsVersion + 1 }))
      return changeEverywhere(room, event.data.id, withNew(toShown(event.data)))
    case 'message:update':
    case 'message:reply':
    case 'message:reaction:add':
    case 'message:reaction:remove':
      return changeEverywhere(room, event.data.id, withNew(toShown(event.data)))
    case 'message:delete':
      room.store.setState(({ pinsVersion }) => ({
        pinsVersion: pinsVersion + (event.data.is_pinned ? 1 : 0),
      }))
      return drop(room, event.data.id)
    case 'typing':
      return user ? room.typists.hear(user, event.data) : undefined
    case 'channel:updated':
      return void readChannel(room)
    case 'channel:members':
      room.store.setState(({ membersVersion }) => ({ membersVersion: membersVersion + 1 }))
      return void readChannel(room)
    case 'channel:deleted':
      return room.store.setState({ status: 'gone', problem: translate('channels.gone.deleted') })
    case 'channel:removed':
      return room.store.setState({ status: 'gone', problem: translate('channels.gone.removed') })
    default:
      return undefined
  }
}

import { createContext, useContext } from 'react'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { PrincipalLoaders } from '../../ui/principal-search.tsx'
import type { Mention } from './mentions.ts'
import type { Room, RoomState } from './room.ts'
import type { ShownMessage } from './shown-message.ts'

/** What is open in a channel besides its messages. */
export interface RoomViewState {
  /** The message that is being changed in its place. */
  readonly editingId: string | null
  /** What the next message of the channel or of the thread quotes. */
  readonly quoted: { readonly message: ShownMessage; readonly parentId: string | null } | null
  readonly deleting: ShownMessage | null
  readonly panel: 'pins' | null
  /** Whether the reader marked something as unread, which it stays until they come back. */
  readonly keepsUnread: boolean
  readonly dialog: 'members' | 'settings' | 'webhooks' | 'leave' | 'delete' | null
}

export type RoomViewStore = StoreApi<RoomViewState>

export const createRoomView = (): RoomViewStore =>
  createStore<RoomViewState>(() => ({
    editingId: null,
    quoted: null,
    deleting: null,
    panel: null,
    keepsUnread: false,
    dialog: null,
  }))

/** Who looks. */
export interface Reader {
  readonly id: string
  readonly name: string
  readonly profile_image_url: string
  readonly isAdmin: boolean
}

/** What everything in a channel needs. */
export interface RoomContextValue {
  readonly room: Room
  readonly view: RoomViewStore
  readonly me: Reader
  /** Models that can be asked by mentioning them. */
  readonly models: readonly Mention[]
  /** Channels that can be mentioned. */
  readonly channels: readonly Mention[]
  readonly people: PrincipalLoaders
  readonly mayUpload: boolean
  readonly showThread: (parentId: string, messageId?: string) => void
  readonly hideThread: () => void
  /** Lets a message and all after it count as unread again. */
  readonly markUnread: (message: Pick<ShownMessage, 'id'>) => Promise<void>
  /** Goes to a message of the channel, or of one of its threads. */
  readonly showMessage: (message: Pick<ShownMessage, 'id' | 'parent_id'>) => void
  /** Opens the conversation with somebody. */
  readonly writeTo: (userId: string) => void
}

export const RoomContext = createContext<RoomContextValue | null>(null)

export function useRoom(): RoomContextValue {
  const value = useContext(RoomContext)
  if (!value) throw new Error('This part of a channel stands outside of one.')
  return value
}

export const useRoomState = <Value>(select: (state: RoomState) => Value): Value =>
  useStore(useRoom().room.store, select)
export const useRoomView = <Value>(select: (state: RoomViewState) => Value): Value =>
  useStore(useRoom().view, select)

/** Whether the reader may post, react and pin here. */
export const mayWrite = ({ channel }: RoomState): boolean => channel?.write_access === true
/** Whether the reader may change the channel, its members and webhooks. */
export const mayManage = ({ channel }: RoomState): boolean => channel?.is_manager === true

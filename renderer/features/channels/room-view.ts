import { createContext, useContext } from 'react'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { PrincipalLoaders } from '../../ui/access/principal-search.tsx'
import type { Mention } from './mentions.ts'
import type { Room, RoomState } from './room.ts'
import type { ShownMessage } from './shown-message.ts'

/** UI state of a channel besides its messages. */
export interface RoomViewState {
  /** Id of the message being edited in place. */
  readonly editingId: string | null
  /** Message quoted by the next one in the channel or thread. */
  readonly quoted: { readonly message: ShownMessage; readonly parentId: string | null } | null
  readonly deleting: ShownMessage | null
  readonly panel: 'pins' | null
  /** True if the reader marked something as unread, which it stays until they return. */
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

/** The current user. */
export interface Reader {
  readonly id: string
  readonly name: string
  readonly profile_image_url: string
  readonly isAdmin: boolean
}

/** Context of all components of a channel. */
export interface RoomContextValue {
  readonly room: Room
  readonly view: RoomViewStore
  readonly me: Reader
  /** Models that answer when mentioned. */
  readonly models: readonly Mention[]
  /** Channels that can be mentioned. */
  readonly channels: readonly Mention[]
  readonly people: PrincipalLoaders
  readonly mayUpload: boolean
  readonly showThread: (parentId: string, messageId?: string) => void
  readonly hideThread: () => void
  /** Marks a message and all later ones as unread. */
  readonly markUnread: (message: Pick<ShownMessage, 'id'>) => Promise<void>
  /** Shows a message of the channel, or of one of its threads. */
  readonly showMessage: (message: Pick<ShownMessage, 'id' | 'parent_id'>) => void
  /** Opens the conversation with a user. */
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

/** True if the reader may post, react and pin here. */
export const mayWrite = ({ channel }: RoomState): boolean => channel?.write_access === true
/** True if the reader may manage the channel, its members and webhooks. */
export const mayManage = ({ channel }: RoomState): boolean => channel?.is_manager === true

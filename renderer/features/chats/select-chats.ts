import type { ChatListItem } from '#contract/chats.ts'
import type { ChatsStore } from './chats-store.ts'

/** Ids at which the next range selection starts. */
const anchors = new WeakMap<ChatsStore, string>()

/** Starts or ends selection mode. */
export function setSelecting(store: ChatsStore, selecting: boolean): void {
  anchors.delete(store)
  store.setState({ selection: selecting ? new Set() : null })
}

/** Adds a chat to the selection or removes it. */
export function toggleSelected(store: ChatsStore, id: string): void {
  const ids = new Set(store.getState().selection)
  if (!ids.delete(id)) ids.add(id)
  anchors.set(store, id)
  store.setState({ selection: ids })
}

/**
 * Selects everything from the last selected chat to this one; `drawn` are the ids in the order
 * shown on screen.
 */
export function selectRange(store: ChatsStore, drawn: readonly string[], id: string): void {
  const start = drawn.indexOf(anchors.get(store) ?? id)
  const end = drawn.indexOf(id)
  const range = drawn.slice(Math.min(Math.max(start, 0), end), Math.max(start, end) + 1)
  store.setState(({ selection }) => ({ selection: new Set([...(selection ?? []), ...range]) }))
  if (!anchors.has(store)) anchors.set(store, id)
}

export const selectAll = (store: ChatsStore, drawn: readonly string[]): void =>
  store.setState({ selection: new Set(drawn) })

/** Returns the selected chats in their current state. */
export function selectedChats(store: ChatsStore): readonly ChatListItem[] {
  const { chats, selection } = store.getState()
  return chats.filter((chat) => selection?.has(chat.id))
}

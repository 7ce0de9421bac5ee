import { channelsStore } from '../channels/channel-stores.ts'
import { isUnread } from '../../features/chats/chats-store.ts'
import { desktop } from '../../lib/desktop.ts'
import { chatsStore } from '../stores.ts'

/** Returns the number of unread chats and channels; null while the list is not loaded. */
function countUnread(): number | null {
  const { status, chats } = chatsStore.getState()
  if (status !== 'ready') return null
  const { channels } = channelsStore.getState()
  return (
    chats.filter(isUnread).length + channels.filter(({ unread_count: count }) => count > 0).length
  )
}

/** Shows the unread count on the desktop app's icon; returns the function that stops it. */
export function startFollowingUnread(): () => void {
  const bridge = desktop
  if (!bridge) return () => undefined
  let shown = 0
  const tell = (): void => {
    const unread = countUnread()
    if (unread === null || unread === shown) return
    shown = unread
    // Optional: if the badge cannot be shown, the lists still show the unread state.
    bridge.request('window.setMarks', { unread }).catch(() => undefined)
  }
  const removers = [chatsStore.subscribe(tell), channelsStore.subscribe(tell)]
  return () => {
    for (const remove of removers) remove()
  }
}

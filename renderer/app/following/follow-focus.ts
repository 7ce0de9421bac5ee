import type { ServerFrame } from '#contract/events.ts'
import { socket } from '../../api/socket.ts'
import { selectChat } from '../../features/chats/chats-store.ts'
import { desktop } from '../../lib/desktop.ts'
import { translate } from '../../lib/i18n.ts'
import { chatPath } from '../../lib/router.ts'
import { toastError } from '../../ui/floating/toast.tsx'
import { chatsStore } from '../stores.ts'

/** Maximum number of characters of an answer in a notification. */
const EXCERPT = 200

const tellFocus = (): void => {
  socket.send({ type: 'focus', focused: document.hasFocus() })
}

/**
 * Shows a system notification when an answer finishes while the user is elsewhere; desktop app
 * only.
 */
function notifyOfAnswer(frame: ServerFrame): void {
  if (
    !desktop ||
    document.hasFocus() ||
    frame.type !== 'events' ||
    frame.data.type !== 'chat:completion'
  )
    return
  const { done, content } = frame.data.data
  if (!done || !content || frame.chat_id === null) return
  const title =
    selectChat(frame.chat_id)(chatsStore.getState())?.title || translate('common.productName')
  desktop
    .request('notification.show', {
      title: title.slice(0, EXCERPT),
      body: content.slice(0, EXCERPT),
      path: chatPath(frame.chat_id),
    })
    .catch(toastError)
}

/** Keeps the gateway informed whether this window has focus; returns the function that stops it. */
export function startFollowingFocus(): () => void {
  const removers = [
    socket.onFrame(notifyOfAnswer),
    socket.status.subscribe(({ status }) => {
      if (status === 'open') tellFocus()
    }),
  ]
  window.addEventListener('focus', tellFocus)
  window.addEventListener('blur', tellFocus)
  return () => {
    window.removeEventListener('focus', tellFocus)
    window.removeEventListener('blur', tellFocus)
    for (const remove of removers) remove()
  }
}

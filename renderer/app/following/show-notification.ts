import type { RunStatus } from '#contract/automations.ts'
import type { ServerFrame } from '#contract/events.ts'
import { translate } from '../../lib/i18n.ts'
import { chatPath, navigate } from '../../lib/router.ts'
import { toast, type ToastRequest } from '../../ui/floating/toast.tsx'

const LONGEST = 500

const toTone = (type: unknown): NonNullable<ToastRequest['tone']> =>
  type === 'error' ? 'danger' : type === 'warning' || type === 'success' ? type : 'neutral'

/** A finished automation run as reported by the gateway. */
interface EndedRun {
  readonly name: string
  readonly status: RunStatus
  readonly error: string | null
  readonly chat_id: string | null
}

/** Shows the result of an automation run, with a link to its output. */
function showRun({ name, status, error, chat_id: chatId }: EndedRun): void {
  const openChat = { label: translate('chats.openRun'), onSelect: () => navigate(chatPath(chatId)) }
  toast({
    text: translate(`chats.runEnds.${status}`, {
      name: name.trim() || translate('chats.untitled'),
      why: error ?? '',
    }).trim(),
    tone: status === 'success' ? 'success' : 'warning',
    ...(chatId !== null && { action: openChat }),
  })
}

/** Shows a notification sent by a plugin (specification, Plugin events, `notification`). */
export function showNotification(frame: ServerFrame): void {
  if (frame.type !== 'events' || frame.data.type !== 'notification') return
  const { type, content } = frame.data.data
  const run = 'run' in frame.data.data ? frame.data.data.run : undefined
  if (run) return showRun(run)
  if (content.trim() === '') return
  toast({ text: content.slice(0, LONGEST), tone: toTone(type) })
}

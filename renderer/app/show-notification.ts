import type { ServerFrame } from '#contract/events.ts'
import { toast, type ToastRequest } from '../ui/toast.tsx'

const LONGEST = 500

const toTone = (type: unknown): NonNullable<ToastRequest['tone']> =>
  type === 'error' ? 'danger' : type === 'warning' || type === 'success' ? type : 'neutral'

/** Shows what a plugin wants noticed (specification, Plugin events, `notification`). */
export function showNotification(frame: ServerFrame): void {
  if (frame.type !== 'events' || frame.data.type !== 'notification') return
  const { type, content } = frame.data.data
  if (content.trim() === '') return
  toast({ text: content.slice(0, LONGEST), tone: toTone(type) })
}

import { Pencil, Send, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { IconButton } from '../../ui/icon-button.tsx'
import { toMessageText } from './draft.ts'
import type { MessageQueue, QueuedMessage } from './message-queue.ts'

interface QueuedMessagesProps {
  readonly queue: MessageQueue
  readonly isAnswering: boolean
  /** Puts a message back into the box. */
  readonly onEdit: (message: QueuedMessage) => void
}

/** The messages that wait for an answer to end, above the box they were written in. */
export function QueuedMessages({ queue, isAnswering, onEdit }: QueuedMessagesProps) {
  const { t } = useTranslation()
  const queued = useStore(queue.store)
  if (queued.length === 0) return null
  return (
    <section
      aria-label={t('chat.queue.label')}
      className="mb-2 rounded-large border border-line bg-sunken px-3 py-2"
    >
      <div className="flex items-center gap-2">
        <output className="flex-1 text-small text-muted">
          {isAnswering ? t('chat.queue.waits') : t('chat.queue.held')}
        </output>
        {!isAnswering && (
          <IconButton
            size="small"
            label={t('chat.queue.sendNow')}
            icon={<Send />}
            onClick={() => queue.sendNext()}
          />
        )}
      </div>
      <ul>
        {queued.map((waiting) => (
          <li key={waiting.id} className="flex items-center gap-1">
            <bdi className="min-w-0 flex-1 truncate text-ui">{toMessageText(waiting.draft)}</bdi>
            <IconButton
              size="small"
              label={t('chat.queue.edit')}
              icon={<Pencil />}
              onClick={() => onEdit(waiting)}
            />
            <IconButton
              size="small"
              label={t('chat.queue.remove')}
              icon={<X />}
              onClick={() => queue.remove(waiting.id)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

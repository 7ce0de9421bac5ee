import { ArrowDown, ArrowUp, GripVertical, Pencil, Send, X } from 'lucide-react'
import { type DragEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { classNames } from '../../../lib/class-names.ts'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { announce } from '../../../ui/layout/live-region.tsx'
import { toMessageText } from './draft.ts'
import type { MessageQueue, QueuedMessage } from './message-queue.ts'
import { toastError } from '../../../ui/floating/toast.tsx'

interface QueuedMessagesProps {
  readonly queue: MessageQueue
  readonly isAnswering: boolean
  /** Puts a message back into the box. */
  readonly onEdit: (message: QueuedMessage) => void
}

/** Separate type, so that no other dragged item is taken for a message. */
const DRAGGED = 'application/x-chat-gateway-queued'

type Direction = 'up' | 'down'

interface RowProps {
  readonly waiting: QueuedMessage
  readonly place: number
  readonly count: number
  readonly isAnswering: boolean
  readonly onMove: (id: string, place: number, direction?: Direction) => void
  readonly onSendNow: () => void
  readonly onEdit: () => void
  readonly onRemove: () => void
}

function MoveButtons({ waiting, place, count, onMove }: RowProps) {
  const { t } = useTranslation()
  return (
    <>
      <IconButton
        size="small"
        label={t('chat.queue.up')}
        icon={<ArrowUp />}
        aria-disabled={place === 0}
        data-move={`${waiting.id}:up`}
        onClick={() => place > 0 && onMove(waiting.id, place - 1, 'up')}
      />
      <IconButton
        size="small"
        label={t('chat.queue.down')}
        icon={<ArrowDown />}
        aria-disabled={place === count - 1}
        data-move={`${waiting.id}:down`}
        onClick={() => place < count - 1 && onMove(waiting.id, place + 1, 'down')}
      />
    </>
  )
}

function Row(props: RowProps) {
  const { waiting, place, count, isAnswering, onMove, onSendNow, onEdit, onRemove } = props
  const { t } = useTranslation()
  const [isOver, setOver] = useState(false)
  const text = toMessageText(waiting.draft)
  const handleDragOver = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes(DRAGGED)) return
    event.preventDefault()
    setOver(true)
  }
  const handleDrop = (event: DragEvent): void => {
    setOver(false)
    const id = event.dataTransfer.getData(DRAGGED)
    if (id === '') return
    event.preventDefault()
    onMove(id, place)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the buttons of a row move it by keyboard
    <li
      draggable={count > 1}
      onDragStart={(event) => {
        event.dataTransfer.setData(DRAGGED, waiting.id)
        event.dataTransfer.effectAllowed = 'move'
      }}
      onDragOver={handleDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={handleDrop}
      className={classNames('flex items-center gap-1 rounded-small', isOver && 'bg-pressed')}
    >
      {count > 1 && <GripVertical className="size-4 shrink-0 cursor-grab text-muted" />}
      <bdi className="min-w-0 flex-1 truncate text-ui">{text}</bdi>
      {count > 1 && <MoveButtons {...props} />}
      {isAnswering && (
        <IconButton
          size="small"
          label={t('chat.queue.sendNow')}
          hint={t('chat.queue.steer')}
          words={<span className="text-small">{t('chat.queue.sendNow')}</span>}
          icon={<Send />}
          onClick={onSendNow}
        />
      )}
      <IconButton size="small" label={t('chat.queue.edit')} icon={<Pencil />} onClick={onEdit} />
      <IconButton size="small" label={t('chat.queue.remove')} icon={<X />} onClick={onRemove} />
    </li>
  )
}

/** Returns handlers that move messages and keep the focus on the button used. */
function useMoving(queue: MessageQueue): {
  list: RefObject<HTMLUListElement | null>
  move: RowProps['onMove']
} {
  const { t } = useTranslation()
  const list = useRef<HTMLUListElement>(null)
  const moved = useRef<string | null>(null)
  const queued = useStore(queue.store)
  useEffect(() => {
    if (moved.current !== null)
      list.current?.querySelector<HTMLElement>(`[data-move="${moved.current}"]`)?.focus()
    moved.current = null
  }, [queued])
  const move: RowProps['onMove'] = (id, place, direction) => {
    moved.current = direction ? `${id}:${direction}` : null
    queue.move(id, place)
    announce(t('chat.queue.moved', { place: place + 1, count: queue.store.getState().length }))
  }
  return { list, move }
}

/** The queued messages, above the box they were written in. */
export function QueuedMessages({ queue, isAnswering, onEdit }: QueuedMessagesProps) {
  const { t } = useTranslation()
  const queued = useStore(queue.store)
  const { list, move } = useMoving(queue)
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
            words={<span className="text-small">{t('chat.queue.sendNow')}</span>}
            icon={<Send />}
            onClick={() => queue.sendNext()}
          />
        )}
      </div>
      <ul ref={list}>
        {queued.map((waiting, place) => (
          <Row
            key={waiting.id}
            waiting={waiting}
            place={place}
            count={queued.length}
            isAnswering={isAnswering}
            onMove={move}
            onSendNow={() => void queue.steer(waiting.id).catch(toastError)}
            onEdit={() => onEdit(waiting)}
            onRemove={() => queue.remove(waiting.id)}
          />
        ))}
      </ul>
    </section>
  )
}

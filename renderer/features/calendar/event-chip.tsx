import { useTranslation } from 'react-i18next'
import type { ShownEvent } from '#contract/calendars.ts'
import { classNames } from '../../lib/class-names.ts'
import { formatClock } from './show-event.ts'

interface EventChipProps {
  readonly event: ShownEvent
  readonly color: string
  /** True if it is excluded from the Tab order, because the event can be reached elsewhere. */
  readonly isSkipped?: boolean
  readonly onOpen: () => void
}

/** An event within a day, on one line. */
export function EventChip({ event, color, isSkipped = false, onOpen }: EventChipProps) {
  const { t } = useTranslation()
  const isDone = event.meta?.['run_status'] !== undefined
  return (
    <button
      type="button"
      tabIndex={isSkipped ? -1 : undefined}
      onClick={onOpen}
      style={{ borderInlineStartColor: color }}
      className={classNames(
        'flex w-full min-w-0 items-baseline gap-1 rounded-small border-s-[3px] bg-hover px-1.5 py-0.5 text-start text-small hover:bg-pressed',
        isDone && 'text-muted',
      )}
    >
      {/* A narrow day has no room for both: the list of the chosen day says when. */}
      {!event.all_day && (
        <span className="shrink-0 text-muted tabular-nums @max-[9rem]:sr-only">
          {formatClock(event.start_at)}
        </span>
      )}
      <bdi className="min-w-0 truncate">{event.title || t('calendar.untitled')}</bdi>
    </button>
  )
}

import '../../../lib/strings/ratings.ts'
import { X } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../lib/class-names.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { TextArea } from '../../../ui/fields/text-field.tsx'
import type { Rating } from './rate-answer.ts'
import { REASONS } from '../../../lib/rating-reasons.ts'

interface RatingPanelProps {
  readonly rating: Rating
  readonly onSend: (rating: Rating) => Promise<boolean>
  readonly onClose: () => void
}

/** Asks for the reason of a rating: a predefined reason and a comment, both optional. */
export function RatingPanel({ rating, onSend, onClose }: RatingPanelProps) {
  const { t } = useTranslation()
  const title = useId()
  const [reason, setReason] = useState(rating.reason)
  const [comment, setComment] = useState(rating.comment)
  const [isSending, setSending] = useState(false)
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setSending(true)
    const isSent = await onSend({ rating: rating.rating, reason, comment: comment.trim() })
    setSending(false)
    if (isSent) close()
  }
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    form.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  /** Returns the focus to the thumb button that opened the panel. */
  const close = (): void => {
    form.current?.parentElement
      ?.querySelector<HTMLElement>('[data-rating][aria-pressed="true"]')
      ?.focus()
    onClose()
  }
  const handleKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    close()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape is handled for everything inside
    <form
      ref={form}
      aria-labelledby={title}
      onSubmit={(event) => void send(event)}
      onKeyDown={handleKey}
      className="mt-2 max-w-[36rem] animate-rise rounded-large border border-line bg-raised p-3.5 text-ui"
    >
      <div className="flex items-start justify-between gap-2">
        <h3 id={title} className="pt-1 font-semibold">
          {t(rating.rating === 1 ? 'chat.rating.whyGood' : 'chat.rating.whyBad')}
        </h3>
        <IconButton size="small" label={t('chat.rating.close')} icon={<X />} onClick={close} />
      </div>
      <ul className="mt-2 flex flex-wrap gap-1.5">
        {REASONS[rating.rating].map((each) => (
          <li key={each}>
            <button
              type="button"
              aria-pressed={reason === each}
              onClick={() => setReason(reason === each ? '' : each)}
              className={classNames(
                'min-h-8 rounded-full border px-3 text-small pointer-coarse:min-h-11',
                reason === each
                  ? 'border-accent bg-accent-soft font-medium text-accent-strong dark:text-accent'
                  : 'border-edge/60 text-ink hover:bg-hover',
              )}
            >
              {t(`ratings.reasons.${each}`)}
            </button>
          </li>
        ))}
      </ul>
      <div className="mt-3">
        <TextArea
          label={t('chat.rating.comment')}
          rows={2}
          maxLength={2000}
          value={comment}
          onChange={setComment}
        />
      </div>
      <div className="mt-3 flex justify-end">
        <Button type="submit" tone="primary" busy={isSending}>
          {t('chat.rating.send')}
        </Button>
      </div>
    </form>
  )
}

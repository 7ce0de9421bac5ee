import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../lib/class-names.ts'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import type { Verdict } from './rate-answer.ts'
import type { RatingControl } from './use-rating.ts'

const BUTTONS = [
  { verdict: 1, Icon: ThumbsUp, label: 'chat.rating.good' },
  { verdict: -1, Icon: ThumbsDown, label: 'chat.rating.bad' },
] as const satisfies readonly { verdict: Verdict; Icon: unknown; label: string }[]

/** Thumb buttons below an answer. */
export function RatingButtons({ control }: { control: RatingControl }) {
  const { t } = useTranslation()
  if (!control.isOffered) return null
  return BUTTONS.map(({ verdict, Icon, label }) => {
    const isChosen = control.rating?.rating === verdict
    return (
      <IconButton
        key={verdict}
        label={t(label)}
        hint={isChosen ? t('chat.rating.takeBack') : undefined}
        data-rating={verdict}
        aria-pressed={isChosen}
        icon={<Icon className={classNames(isChosen && 'fill-current')} />}
        className={classNames(isChosen && 'text-accent-strong! dark:text-accent!')}
        onClick={() => control.choose(verdict)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && control.isAsking) control.close()
        }}
      />
    )
  })
}

import { Pin } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Badge } from '../../ui/marks/badge.tsx'
import { Tooltip } from '../../ui/floating/tooltip.tsx'
import { authorName, isAnswer, type ShownMessage, toTime } from './shown-message.ts'
import { formatLocale } from '../../lib/i18n.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

function format(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`
  const known = formats.get(key) ?? new Intl.DateTimeFormat(formatLocale(locale), options)
  formats.set(key, known)
  return known
}

export const clockTime = (nanoseconds: number, locale: string): string =>
  format(locale, { timeStyle: 'short' }).format(toTime(nanoseconds))
/** Formats the time of day in the shortest form, without AM or PM. */
export const shortTime = (nanoseconds: number, locale: string): string =>
  format(locale, { hour: 'numeric', minute: '2-digit' })
    .formatToParts(toTime(nanoseconds))
    .filter(({ type }) => type !== 'dayPeriod')
    .map(({ value }) => value)
    .join('')
    .trim()

export const wholeTime = (nanoseconds: number, locale: string): string =>
  format(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(toTime(nanoseconds))

/** Time of a message, with the date on hover. */
export function MessageTime({
  message,
  isWhole = false,
}: {
  message: Pick<ShownMessage, 'created_at'>
  isWhole?: boolean
}) {
  const { i18n } = useTranslation()
  const whole = wholeTime(message.created_at, i18n.language)
  return (
    <Tooltip text={whole} side="top">
      <time
        dateTime={new Date(toTime(message.created_at)).toISOString()}
        className="shrink-0 text-small whitespace-nowrap text-muted"
      >
        {isWhole ? whole : clockTime(message.created_at, i18n.language)}
      </time>
    </Tooltip>
  )
}

/** Label of an author that is not a user of this gateway. */
export function AuthorBadge({ message }: { message: Pick<ShownMessage, 'meta' | 'user'> }) {
  const { t } = useTranslation()
  if (isAnswer(message)) return <Badge tone="accent">{t('channels.message.model')}</Badge>
  if (message.user?.role === 'webhook') return <Badge>{t('channels.message.webhookBadge')}</Badge>
  return null
}

/** Author and time of a message. */
export function MessageHead({
  message,
  isWhole = false,
}: {
  message: ShownMessage
  isWhole?: boolean
}) {
  const { t } = useTranslation()
  return (
    <div className="flex min-w-0 flex-wrap items-baseline gap-x-2">
      <bdi
        className={
          message.user === null || message.user.is_deleted
            ? 'truncate font-semibold text-muted italic'
            : 'truncate font-semibold'
        }
      >
        {authorName(message)}
      </bdi>
      <AuthorBadge message={message} />
      <MessageTime message={message} isWhole={isWhole} />
      {message.is_pinned && (
        <span className="inline-flex items-center gap-1 self-center text-small text-muted">
          <Pin className="size-3" />
          {t('channels.message.pinned')}
        </span>
      )}
    </div>
  )
}

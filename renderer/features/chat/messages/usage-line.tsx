import { Info } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { Popover } from '../../../ui/floating/popover.tsx'
import type { ChatMessage } from '../chat-store.ts'
import { type AnswerUsage, readUsage, toMoney } from './count-cost.ts'
import { pricesStore } from '../prices-store.ts'
import { classNames } from '../../../lib/class-names.ts'
import { formatLocale } from '../../../lib/i18n.ts'

function useRows(usage: AnswerUsage): readonly (readonly [string, string])[] {
  const { t, i18n } = useTranslation()
  const number = new Intl.NumberFormat(formatLocale())
  const time = (seconds: number): string =>
    t('chat.usage.seconds', { seconds: number.format(seconds) })
  const { model, input, output, seconds, reasoningSeconds, cost } = usage
  const speed = output !== null && seconds !== null && seconds >= 0.1 ? output / seconds : null
  const rows: readonly (readonly [string, string | null])[] = [
    [t('chat.usage.model'), model],
    [t('chat.usage.input'), input === null ? null : number.format(input)],
    [t('chat.usage.output'), output === null ? null : number.format(output)],
    [t('chat.usage.reasoning'), reasoningSeconds === null ? null : time(reasoningSeconds)],
    [t('chat.usage.time'), seconds === null ? null : time(seconds)],
    [
      t('chat.usage.speed'),
      speed === null
        ? null
        : t('chat.usage.perSecond', { tokens: number.format(Math.round(speed)) }),
    ],
    [
      t('chat.usage.cost'),
      cost === null ? t('chat.usage.costUnknown') : toMoney(cost, i18n.language),
    ],
  ]
  return rows.filter((row): row is readonly [string, string] => row[1] !== null && row[1] !== '')
}

function Details({ usage }: { usage: AnswerUsage }) {
  return (
    <dl className="grid min-w-56 grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 p-4">
      {useRows(usage).map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="text-end tabular-nums">
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/**
 * Duration and cost of an answer; its tokens and other details behind a click. Only an answer whose
 * duration is unknown shows its tokens in place of it. Phones have room for an icon only.
 */
export function UsageLine({ message }: { message: ChatMessage }) {
  const { t, i18n } = useTranslation()
  const prices = useStore(pricesStore, (state) => state.prices)
  const usage = readUsage(message, prices)
  const { seconds, output, cost } = usage
  const parts = [
    seconds === null
      ? output !== null && t('chat.usage.tokens', { tokens: output.toLocaleString(formatLocale()) })
      : t('chat.usage.seconds', { seconds: seconds.toLocaleString(formatLocale()) }),
    cost && toMoney(cost, i18n.language),
  ].filter((part): part is string => Boolean(part))
  const isUnbegun = message.content === '' && message.error !== undefined
  if (parts.length === 0 || isUnbegun) return null
  return (
    <Popover
      isSheet
      label={t('chat.usage.details')}
      side="top"
      trigger={
        <button
          type="button"
          className="ms-1 flex min-h-6 min-w-0 items-center gap-x-2 rounded-small px-1 text-start text-small whitespace-nowrap text-muted tabular-nums hover:text-ink max-sm:ms-0 max-sm:min-h-8 max-sm:min-w-8 max-sm:justify-center pointer-coarse:min-h-11 pointer-coarse:min-w-11"
        >
          <span className="sr-only">{t('chat.usage.details')}</span>
          <Info aria-hidden="true" className="size-4 sm:hidden" />
          {parts.map((part, index) => (
            <bdi
              key={part}
              className={classNames(
                'max-sm:sr-only',
                index > 0 && 'sm:before:me-2 sm:before:content-["·"]',
              )}
            >
              {part}
            </bdi>
          ))}
        </button>
      }
    >
      <Details usage={usage} />
    </Popover>
  )
}

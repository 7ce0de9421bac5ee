import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Message } from '#contract/chats.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { Spinner } from '../../../ui/marks/spinner.tsx'
import { useChatView } from '../chat-context.ts'
import { countTotals, type ModelTotal, toMoney } from './count-cost.ts'
import { pricesStore } from '../prices-store.ts'
import { useWholeChat } from '../use-whole-chat.ts'
import { formatLocale } from '../../../lib/i18n.ts'

function useCells(): (row: ModelTotal) => readonly string[] {
  const { t, i18n } = useTranslation()
  const number = new Intl.NumberFormat(formatLocale(), { maximumFractionDigits: 1 })
  return ({ answers, input, output, seconds, costs }) => [
    number.format(answers),
    number.format(input),
    number.format(output),
    seconds > 0 ? t('chat.usage.seconds', { seconds: number.format(seconds) }) : '–',
    [...costs]
      .map(([currency, amount]) => toMoney({ amount, currency }, i18n.language))
      .join(' + ') || '–',
  ]
}

function TotalsTable({ messages }: { messages: readonly Message[] }) {
  const { t } = useTranslation()
  const prices = useStore(pricesStore, (state) => state.prices)
  const toCells = useCells()
  const { models, total } = countTotals(messages, prices)
  if (total.answers === 0) return <p>{t('chat.usage.noAnswers')}</p>
  const head = [
    t('chat.usage.answers'),
    t('chat.usage.input'),
    t('chat.usage.output'),
    t('chat.usage.time'),
    t('chat.usage.cost'),
  ]
  const cell = 'py-1.5 ps-4 text-end tabular-nums whitespace-nowrap'
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-ui">
        <thead className="text-small text-muted">
          <tr>
            <th scope="col" className="py-1.5 text-start font-normal">
              {t('chat.usage.model')}
            </th>
            {head.map((name) => (
              <th key={name} scope="col" className={`${cell} font-normal`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {models.map((row) => (
            <tr key={row.model} className="border-t border-line">
              <th scope="row" className="max-w-56 truncate py-1.5 text-start font-normal">
                <bdi>{row.model}</bdi>
              </th>
              {toCells(row).map((text, index) => (
                <td key={head[index]} className={cell}>
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {models.length > 1 && (
          <tfoot className="border-t border-edge font-medium">
            <tr>
              <th scope="row" className="py-1.5 text-start font-medium">
                {t('chat.usage.total')}
              </th>
              {toCells(total).map((text, index) => (
                <td key={head[index]} className={cell}>
                  {text}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  )
}

/** Usage of all answers of the chat, on every branch. */
export function UsageDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { chat } = useChatView()
  const whole = useWholeChat(chat)
  return (
    <Dialog wide onClose={onClose} title={t('chat.usage.title')} description={t('chat.usage.lead')}>
      {whole === null && <Spinner className="mx-auto my-6 block" />}
      {whole && 'problem' in whole && <p role="alert">{whole.problem}</p>}
      {whole && 'messages' in whole && <TotalsTable messages={Object.values(whole.messages)} />}
    </Dialog>
  )
}

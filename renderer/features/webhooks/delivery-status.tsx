import { useTranslation } from 'react-i18next'
import { formatAge } from '../../lib/format-time.ts'

interface Result {
  readonly delivered: boolean
  readonly attempts: number
  readonly status: number | null
  readonly problem: string | null
  readonly finished_at: number
}

interface StatusProps<Last extends Result> {
  readonly webhook: { readonly waiting: number; readonly last_result: Last | null }
  /** Returns the name of the delivered event. */
  readonly nameOf: (result: Last) => string
}

function Sentence({ result, event }: { result: Result; event: string }) {
  const { t } = useTranslation()
  const age = formatAge(result.finished_at)
  if (result.delivered)
    return <p>{t('webhooks.delivered', { age, event, status: result.status })}</p>
  return (
    <p className="text-danger">
      {t('webhooks.failed', { age, event, count: result.attempts, problem: result.problem })}
    </p>
  )
}

/** Result of the last delivery to a URL, and the number of pending ones. */
export function DeliveryStatus<Last extends Result>({
  webhook: { waiting, last_result: last },
  nameOf,
}: StatusProps<Last>) {
  const { t } = useTranslation()
  return (
    <output className="block min-w-0 flex-1 basis-60 text-small wrap-anywhere text-muted">
      {last ? <Sentence result={last} event={nameOf(last)} /> : <p>{t('webhooks.none')}</p>}
      {waiting > 0 && <p>{t('webhooks.waiting', { count: waiting })}</p>}
    </output>
  )
}

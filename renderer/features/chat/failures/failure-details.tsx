import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from './describe-failure.ts'
import { FoldChevron } from '../../../ui/layout/fold-chevron.tsx'

interface FailureDetailsProps {
  readonly error: Failure
  readonly model: string | undefined
  /** Text of the failure that is already shown. */
  readonly sentence: string
  /** The cause. */
  readonly children: ReactNode
}

/** Collapsed cause and facts of a failure. */
export function FailureDetails({ error, model, sentence, children }: FailureDetailsProps) {
  const { t } = useTranslation()
  const rows = [
    [t('chat.error.status'), error['provider_status'] ?? (error.status || null)],
    [t('chat.error.code'), error.code],
    [t('chat.error.request'), error.request_id],
    [t('chat.error.model'), model],
    [t('chat.error.said'), error.content === sentence ? null : error.content],
  ].filter(([, value]) => typeof value === 'string' || typeof value === 'number')
  return (
    <details className="group/details mt-1 text-small text-muted">
      <summary className="flex w-fit list-none items-center gap-1 rounded-small py-1 hover:text-ink [&::-webkit-details-marker]:hidden">
        <FoldChevron />
        {t('chat.error.details')}
      </summary>
      <div className="flex flex-col gap-2 pt-1 pb-2 empty:hidden">{children}</div>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5">
        {rows.map(([name, value]) => (
          <div key={String(name)} className="contents">
            <dt>{String(name)}</dt>
            <dd dir="auto" className="font-mono wrap-anywhere">
              {String(value)}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

import { useTranslation } from 'react-i18next'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'

const toneOf = (status: number): BadgeTone =>
  status >= 500 ? 'danger' : status >= 400 ? 'warning' : 'neutral'

interface StatusBadgeProps {
  readonly status: number
  /** What the provider answered; a failure of it says more than what the gateway made of it. */
  readonly provider?: number | null
}

/** The status of a reply; failures stand out. */
export function StatusBadge({ status, provider = null }: StatusBadgeProps) {
  const { t } = useTranslation()
  if (provider === null || provider < 400 || provider === status)
    return <Badge tone={toneOf(status)}>{status}</Badge>
  return (
    <span title={t('admin.requests.bothStatuses', { provider, own: status })}>
      <Badge tone={toneOf(provider)}>{provider}</Badge>
      <span className="sr-only">{t('admin.requests.bothStatuses', { provider, own: status })}</span>
    </span>
  )
}

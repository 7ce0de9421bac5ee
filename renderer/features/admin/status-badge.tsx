import { useTranslation } from 'react-i18next'
import { Badge, type BadgeTone } from '../../ui/marks/badge.tsx'

const toneOf = (status: number): BadgeTone =>
  status >= 500 ? 'danger' : status >= 400 ? 'warning' : 'neutral'

interface StatusBadgeProps {
  readonly status: number
  /** Status of the provider's response; on failure it is more specific than the gateway's. */
  readonly provider?: number | null
}

/** Status of a response; failures are highlighted. */
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

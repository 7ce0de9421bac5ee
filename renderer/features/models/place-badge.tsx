import { Cloud, Monitor } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Model } from '#contract/models.ts'
import { isAtGateway } from '../../lib/is-at-gateway.ts'
import { Badge } from '../../ui/marks/badge.tsx'

/** Shows whether prompts to this model stay on the gateway's computer. */
export function PlaceBadge({ type }: { type: Model['connection_type'] }) {
  const { t } = useTranslation()
  return type === 'local' ? (
    <Badge tone="accent" icon={<Monitor />}>
      {t(isAtGateway() ? 'models.onThisComputer' : 'models.onGateway')}
    </Badge>
  ) : (
    <Badge icon={<Cloud />}>
      {t(isAtGateway() ? 'models.leavesThisComputer' : 'models.leavesGateway')}
    </Badge>
  )
}

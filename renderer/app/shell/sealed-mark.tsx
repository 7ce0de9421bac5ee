import { ShieldCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { Badge } from '../../ui/marks/badge.tsx'
import { Tooltip } from '../../ui/floating/tooltip.tsx'
import { sessionStore } from '../stores.ts'

/** Shows that the gateway is sealed, wherever a model is chosen. */
export function SealedMark() {
  const { t } = useTranslation()
  const isSealed = useStore(sessionStore, ({ config }) => config?.features['sealed_mode'] === true)
  if (!isSealed) return null
  return (
    <Tooltip text={t('common.sealedHint')}>
      <span className="inline-flex">
        <Badge tone="accent" icon={<ShieldCheck />}>
          {t('common.sealed')}
        </Badge>
      </span>
    </Tooltip>
  )
}

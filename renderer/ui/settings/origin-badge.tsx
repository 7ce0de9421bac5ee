import '../../lib/strings/setting-pages.ts'
import { useTranslation } from 'react-i18next'
import type { Setting } from '#contract/settings.ts'
import { Badge } from '../marks/badge.tsx'

/** Origin of the value of a setting. */
export function OriginBadge({ setting: { origin } }: { setting: Setting }) {
  const { t } = useTranslation()
  return (
    <Badge tone={origin === 'stored' ? 'accent' : 'neutral'}>
      {t(`settingPages.gateway.origin.${origin}`)}
    </Badge>
  )
}

import '../../lib/strings/setting-pages.ts'
import { ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Setting } from '#contract/settings.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { toPath } from '../../lib/router.ts'

/** Returns the URL of the page of one group. */
const groupPath = (group: Setting['group']): string =>
  `${toPath({ name: 'settings', page: 'gateway' })}?part=${group}`

interface GatewayGroupsProps {
  readonly groups: readonly (readonly [Setting['group'], readonly Setting[]])[]
}

/** Pages of the gateway settings, each with a summary of its contents. */
export function GatewayGroups({ groups }: GatewayGroupsProps) {
  const { t } = useTranslation()
  return (
    <nav aria-label={t('settingPages.gateway.pages')} className="mt-6">
      <h2 className="mb-2 text-head-1 font-semibold">{t('settingPages.gateway.pages')}</h2>
      <ul className="divide-y divide-line overflow-hidden rounded-large border border-line bg-raised">
        {groups.map(([group, settings]) => (
          <li key={group}>
            <a
              href={groupPath(group)}
              onClick={handleLink}
              className="flex items-center gap-3 px-4 py-3 text-ink no-underline hover:bg-hover focus-visible:-outline-offset-2"
            >
              <span className="min-w-0 flex-1">
                <span className="block font-medium">
                  {t(`settingPages.gateway.groups.${group}`)}
                </span>
                <span className="block text-small text-pretty text-muted">
                  {t(`settingPages.gateway.about.${group}`)}
                </span>
              </span>
              <span className="shrink-0 text-small text-muted tabular-nums">
                {t('settingPages.gateway.count', { count: settings.length })}
              </span>
              <ChevronRight className="size-4 shrink-0 text-muted rtl:-scale-x-100" />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

import '../../lib/strings/setting-pages.ts'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Setting } from '#contract/settings.ts'
import { call, endpoints } from '../../api/client.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { toPath } from '../../lib/router.ts'
import { groupSettings } from './group-settings.ts'
import { nameOf } from '../../ui/settings/setting-name.ts'
import { placeOf, searchTextOf } from './setting-names.ts'

const MOST = 30

const addressOf = (setting: Setting): string => {
  const { page, find } = placeOf(setting)
  const path = toPath({ name: 'settings', page })
  return page === 'gateway' ? `${path}?find=${encodeURIComponent(find)}` : path
}

const isNamed = (setting: Setting, query: string): boolean =>
  nameOf(setting).toLowerCase().includes(query.trim().toLowerCase())

interface FoundSettingsProps {
  readonly query: string
  /** Receives the number of matches. */
  readonly onFound: (count: number) => void
}

/** Gateway settings that match the search terms, each linked to its page. */
export function FoundSettings({ query, onFound }: FoundSettingsProps) {
  const { t } = useTranslation()
  const [settings, setSettings] = useState<readonly Setting[]>([])
  useEffect(() => {
    // Users without access to the settings only find the pages.
    call(endpoints.settings.list, {}).then(setSettings, () => {})
  }, [])
  const found = groupSettings(settings, query, 'all', searchTextOf)
    .flatMap(([, rows]) => rows)
    // Matches in the name rank before those in the description.
    .toSorted((left, right) => Number(isNamed(right, query)) - Number(isNamed(left, query)))
    .slice(0, MOST)
  useEffect(() => onFound(found.length), [onFound, found.length])
  if (found.length === 0) return null
  return (
    <>
      <p className="px-2.5 pt-2 pb-1 text-small text-muted max-md:hidden">
        {t('settingPages.gateway.title')}
      </p>
      {found.map((setting) => (
        <a
          key={setting.key}
          href={addressOf(setting)}
          onClick={handleLink}
          className="block shrink-0 rounded-medium px-2.5 py-1.5 text-ink no-underline hover:bg-hover focus-visible:-outline-offset-2 max-md:max-w-60 pointer-coarse:min-h-11"
        >
          <span className="block truncate">{nameOf(setting)}</span>
          <span className="block truncate text-small text-muted" dir="ltr" translate="no">
            {setting.key}
          </span>
        </a>
      ))}
    </>
  )
}

import '../../lib/strings/setting-pages.ts'
import { ArrowLeft } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Setting, SettingValue } from '#contract/settings.ts'
import { call, endpoints } from '../../api/client.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { navigate, toPath, useRoute } from '../../lib/router.ts'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { SearchBox } from '../../ui/fields/search-box.tsx'
import { SelectBox } from '../../ui/controls/select.tsx'
import { SettingRow } from '../../ui/settings/setting-row.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import { ConfigurationSection } from './configuration-section.tsx'
import { GatewayGroups } from './gateway-groups.tsx'
import { groupSettings, type OriginFilter } from './group-settings.ts'
import { nameOf } from '../../ui/settings/setting-name.ts'
import { searchTextOf } from './setting-names.ts'

const FILTERS = ['all', 'changed', 'environment'] as const
const HOME = toPath({ name: 'settings', page: 'gateway' })

interface GroupProps {
  readonly title: string
  readonly settings: readonly Setting[]
  /** True if the keys of the settings are in sight. */
  readonly showsKeys?: boolean
  readonly onSave: (key: string, value: SettingValue) => Promise<void>
}

function Group({ title, settings, showsKeys = false, onSave }: GroupProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mt-6">
      <h2 id={id} className="mb-2 text-head-1 font-semibold">
        {title}
      </h2>
      <ul className="divide-y divide-line rounded-large border border-line bg-raised">
        {settings.map((setting) => (
          <SettingRow
            key={setting.key}
            setting={setting}
            label={nameOf(setting)}
            showsKey={showsKeys}
            onSave={(value) => onSave(setting.key, value)}
          />
        ))}
      </ul>
    </section>
  )
}

/** Returns the parameters in the URL: a settings page, or search terms. */
function useAsked(): { part: string | null; find: string } {
  useRoute()
  const query = new URLSearchParams(location.search)
  return { part: query.get('part'), find: query.get('find') ?? '' }
}

interface ListProps {
  readonly settings: readonly Setting[]
  readonly onSave: GroupProps['onSave']
}

/** Overview: settings changed from their defaults, and the pages. */
function Overview({ settings, onSave }: ListProps) {
  const { t } = useTranslation()
  const changed = settings.filter(({ origin }) => origin === 'stored')
  return (
    <>
      {changed.length > 0 && (
        <Group title={t('settingPages.gateway.changed')} settings={changed} onSave={onSave} />
      )}
      <GatewayGroups groups={groupSettings(settings, '', 'all')} />
    </>
  )
}

function Narrowed({ settings, onSave }: ListProps) {
  const { t } = useTranslation()
  const { part, find } = useAsked()
  const [query, setQuery] = useState(find)
  const [asked, setAsked] = useState(find)
  if (asked !== find) {
    setAsked(find)
    setQuery(find)
  }
  const [origin, setOrigin] = useState<OriginFilter>('all')
  const groups = useMemo(
    () => groupSettings(settings, query, origin, searchTextOf),
    [settings, query, origin],
  )
  const isWhole = query.trim() === '' && origin === 'all'
  const shown = isWhole ? groups.filter(([group]) => group === part) : groups
  const handleQuery = (next: string): void => {
    setQuery(next)
    if (find) navigate(HOME, { replace: true })
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <div className="min-w-0 flex-1 basis-56">
          <SearchBox
            label={t('settingPages.gateway.search')}
            value={query}
            onChange={handleQuery}
          />
        </div>
        <SelectBox
          isNarrow
          aria-label={t('settingPages.gateway.filter')}
          value={origin}
          options={FILTERS.map((each) => ({
            value: each,
            label: t(`settingPages.gateway.filters.${each}`),
          }))}
          onChange={(value) => setOrigin(value as OriginFilter)}
        />
      </div>
      {isWhole && shown.length > 0 && (
        <a
          href={HOME}
          onClick={handleLink}
          className="mt-4 inline-flex h-control items-center gap-2 text-muted no-underline hover:text-ink pointer-coarse:min-h-11"
        >
          <ArrowLeft className="size-4 rtl:-scale-x-100" />
          {t('settingPages.gateway.allPages')}
        </a>
      )}
      {isWhole && shown.length === 0 && <Overview settings={settings} onSave={onSave} />}
      {!isWhole && shown.length === 0 && <EmptyState title={t('settings.nothingFound')} />}
      {shown.map(([group, rows]) => (
        <Group
          key={group}
          title={t(`settingPages.gateway.groups.${group}`)}
          settings={rows}
          showsKeys={query.trim() !== ''}
          onSave={onSave}
        />
      ))}
    </>
  )
}

/** Every setting of the gateway with the source of its value. */
export function GatewayPage({ onChanged }: { onChanged: () => void }) {
  const { t } = useTranslation()
  const {
    value: settings,
    problem,
    put,
  } = useLoaded<readonly Setting[]>(() => call(endpoints.settings.list, {}), [])
  const save = async (key: string, value: SettingValue): Promise<void> => {
    put(await call(endpoints.settings.update, { body: { values: { [key]: value } } }))
    toast({ text: t('settingPages.gateway.saved') })
    onChanged()
  }
  const reload = async (): Promise<void> => {
    put(await call(endpoints.settings.list, {}))
    onChanged()
  }
  return (
    <>
      <PageSection text={t('settingPages.gateway.text')}>
        <FormProblem text={problem} />
        {settings === null && !problem && <PageWait />}
        {settings !== null && <Narrowed settings={settings} onSave={save} />}
      </PageSection>
      {settings !== null && <ConfigurationSection settings={settings} onImported={reload} />}
    </>
  )
}

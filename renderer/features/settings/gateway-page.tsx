import { useEffect, useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Setting, SettingValue } from '#contract/settings.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { PageSection } from '../../ui/page-section.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { SelectBox } from '../../ui/select.tsx'
import { SettingRow } from '../../ui/settings/setting-row.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toast.tsx'
import { ConfigurationSection } from './configuration-section.tsx'
import { groupSettings, type OriginFilter } from './group-settings.ts'

const FILTERS = ['all', 'changed', 'environment'] as const

interface GroupProps {
  readonly group: Setting['group']
  readonly settings: readonly Setting[]
  readonly onSave: (key: string, value: SettingValue) => Promise<void>
}

function Group({ group, settings, onSave }: GroupProps) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <section aria-labelledby={id} className="mt-6">
      <h2 id={id} className="mb-2 text-head-1 font-semibold">
        {t(`settings.gateway.groups.${group}`)}
      </h2>
      <ul className="divide-y divide-line rounded-large border border-line bg-raised">
        {settings.map((setting) => (
          <SettingRow
            key={setting.key}
            setting={setting}
            onSave={(value) => onSave(setting.key, value)}
          />
        ))}
      </ul>
    </section>
  )
}

/** Every setting of the gateway with the place its value comes from. */
export function GatewayPage({ onChanged }: { onChanged: () => void }) {
  const { t } = useTranslation()
  const [settings, setSettings] = useState<readonly Setting[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [query, setQuery] = useState('')
  const [origin, setOrigin] = useState<OriginFilter>('all')
  useEffect(() => {
    call(endpoints.settings.list, {}).then(setSettings, (thrown: unknown) =>
      setProblem(toSentence(thrown)),
    )
  }, [])
  const groups = useMemo(
    () => groupSettings(settings ?? [], query, origin),
    [settings, query, origin],
  )
  const save = async (key: string, value: SettingValue): Promise<void> => {
    setSettings(await call(endpoints.settings.update, { body: { values: { [key]: value } } }))
    toast({ text: t('common.saved') })
    onChanged()
  }
  const reload = async (): Promise<void> => {
    setSettings(await call(endpoints.settings.list, {}))
    onChanged()
  }
  return (
    <>
      <PageSection text={t('settings.gateway.text')}>
        <FormProblem text={problem} />
        {settings === null && !problem && <Spinner className="mx-auto my-8 block" />}
        {settings !== null && (
          <>
            <div className="flex flex-wrap items-center gap-2">
              <div className="min-w-0 flex-1 basis-56">
                <SearchBox label={t('settings.gateway.search')} value={query} onChange={setQuery} />
              </div>
              <SelectBox
                isNarrow
                aria-label={t('settings.gateway.filter')}
                value={origin}
                options={FILTERS.map((each) => ({
                  value: each,
                  label: t(`settings.gateway.filters.${each}`),
                }))}
                onChange={(event) => setOrigin(event.target.value as OriginFilter)}
              />
            </div>
            {groups.length === 0 && <EmptyState title={t('settings.nothingFound')} />}
            {groups.map(([group, rows]) => (
              <Group key={group} group={group} settings={rows} onSave={save} />
            ))}
          </>
        )}
      </PageSection>
      {settings !== null && <ConfigurationSection settings={settings} onImported={reload} />}
    </>
  )
}

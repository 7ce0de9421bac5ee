import { RotateCcw } from 'lucide-react'
import { useEffect, useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Setting, SettingValue } from '#contract/settings.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { Badge } from '../../ui/badge.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { inputClasses } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { PageSection } from '../../ui/page-section.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { SwitchControl } from '../../ui/switch.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toast.tsx'
import { ConfigurationSection } from './configuration-section.tsx'
import { SettingEditor } from './setting-editor.tsx'
import { groupSettings, type OriginFilter, toText } from './setting-value.ts'

const LONGEST_DEFAULT = 60

/** Whether the default can stand in a line. */
const isShort = ({ secret, type, default: fallback }: Setting): boolean =>
  !secret && type !== 'json' && type !== 'boolean' && toText(fallback).length <= LONGEST_DEFAULT

interface RowProps {
  readonly setting: Setting
  readonly onSave: (value: SettingValue) => Promise<void>
}

function SettingRow({ setting, onSave }: RowProps) {
  const { t } = useTranslation()
  const [problem, setProblem] = useState<string | null>(null)
  const save = (value: SettingValue): void => {
    setProblem(null)
    onSave(value).catch((thrown: unknown) => setProblem(toSentence(thrown)))
  }
  return (
    <li className="flex flex-col gap-2 px-4 py-3.5">
      <div className="flex items-start gap-2">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1">
          <code className="min-w-0 text-[0.8125rem] font-medium wrap-anywhere">{setting.key}</code>
          <Badge tone={setting.origin === 'stored' ? 'accent' : 'neutral'}>{t(`settings.gateway.origin.${setting.origin}`)}</Badge>
        </div>
        {setting.origin === 'stored' && !setting.locked && (
          <IconButton
            size="small"
            label={t('settings.gateway.reset', { key: setting.key })}
            icon={<RotateCcw />}
            onClick={() => save(null)}
          />
        )}
        {setting.type === 'boolean' && (
          <SwitchControl aria-label={setting.key} checked={setting.value === true} disabled={setting.locked} onChange={save} />
        )}
      </div>
      <p className="text-small text-muted">{setting.help}</p>
      {setting.type !== 'boolean' && <SettingEditor key={JSON.stringify(setting.value)} setting={setting} onSave={save} />}
      {setting.origin !== 'default' && isShort(setting) && (
        <p className="text-small wrap-anywhere text-muted">
          {t('settings.gateway.defaultIs', { value: toText(setting.default) || t('settings.configuration.empty') })}
        </p>
      )}
      {setting.locked && <p className="text-small text-muted">{t('settings.gateway.locked')}</p>}
      <FormProblem text={problem} />
    </li>
  )
}

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
          <SettingRow key={setting.key} setting={setting} onSave={(value) => onSave(setting.key, value)} />
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
    call(endpoints.settings.list, {}).then(setSettings, (thrown: unknown) => setProblem(toSentence(thrown)))
  }, [])
  const groups = useMemo(() => groupSettings(settings ?? [], query, origin), [settings, query, origin])
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
              <select
                aria-label={t('settings.gateway.filter')}
                value={origin}
                onChange={(event) => setOrigin(event.target.value as OriginFilter)}
                className={`${inputClasses} w-auto! px-2`}
              >
                {FILTERS.map((each) => (
                  <option key={each} value={each}>
                    {t(`settings.gateway.filters.${each}`)}
                  </option>
                ))}
              </select>
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

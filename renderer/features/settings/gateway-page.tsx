import { RotateCcw, Search } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Setting, SettingValue } from '#contract/settings.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { Badge } from '../../ui/badge.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { PageSection } from '../../ui/page-section.tsx'
import { SwitchControl } from '../../ui/switch.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toast.tsx'
import { SettingEditor } from './setting-editor.tsx'

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
      {setting.locked && <p className="text-small text-muted">{t('settings.gateway.locked')}</p>}
      <FormProblem text={problem} />
    </li>
  )
}

/** Every setting of the gateway with the place its value comes from. */
export function GatewayPage() {
  const { t } = useTranslation()
  const [settings, setSettings] = useState<readonly Setting[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [query, setQuery] = useState('')
  useEffect(() => {
    call(endpoints.settings.list, {}).then(setSettings, (thrown: unknown) => setProblem(toSentence(thrown)))
  }, [])
  const shown = useMemo(() => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean)
    return settings?.filter(({ key, help }) => words.every((word) => `${key} ${help}`.toLowerCase().includes(word))) ?? []
  }, [settings, query])
  const save = async (key: string, value: SettingValue): Promise<void> => {
    setSettings(await call(endpoints.settings.update, { body: { values: { [key]: value } } }))
    toast({ text: t('common.saved') })
  }
  return (
    <PageSection text={t('settings.gateway.text')}>
      <FormProblem text={problem} />
      {settings === null && !problem && <Spinner className="mx-auto my-8" />}
      {settings !== null && (
        <>
          <search className="relative mb-3 block">
            <Search aria-hidden="true" className="pointer-events-none absolute start-3 top-1/2 size-4 -translate-y-1/2 text-muted" />
            <input
              type="search"
              aria-label={t('settings.gateway.search')}
              placeholder={t('settings.gateway.search')}
              value={query}
              onChange={(event) => setQuery(event.target.value)}
              className="h-primary w-full rounded-medium border border-edge bg-raised ps-9 pe-3 text-ui pointer-coarse:min-h-11"
            />
          </search>
          {shown.length === 0 ? (
            <EmptyState title={t('settings.nothingFound')} />
          ) : (
            <ul className="divide-y divide-line rounded-large border border-line bg-raised">
              {shown.map((setting) => (
                <SettingRow key={setting.key} setting={setting} onSave={(value) => save(setting.key, value)} />
              ))}
            </ul>
          )}
        </>
      )}
    </PageSection>
  )
}

import '../../ui/code-output/strings.ts'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { FailedLine } from '../../ui/lists/failed-line.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { SettingRow } from '../../ui/settings/setting-row.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import type { SaveSettings } from '../../ui/settings/settings-store.ts'
import {
  type CodeSettingsStore,
  loadCodeSettings,
  PURPOSES,
  saveCodeSettings,
} from './code-settings-store.ts'
import { EngineForm } from './engine-form.tsx'
import { PackagesSection } from './packages-section.tsx'
import { TextSettingSection } from '../../ui/settings/text-setting-section.tsx'
import { StateSection } from './state-section.tsx'

/** Settings that have a separate form. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  ...PURPOSES.flatMap(({ isOn, engine, url, auth, token, password, timeout }) => [
    isOn,
    engine,
    url,
    auth,
    token,
    password,
    timeout,
  ]),
  'CODE_INTERPRETER_PROMPT_TEMPLATE',
  'CODE_PACKAGES_URL',
])

interface CodeSettingsPageProps {
  readonly store: CodeSettingsStore
  readonly onChanged: () => void
}

/** Settings of code execution: engines, users, limits and packages. */
export function CodeSettingsPage({ store, onChanged }: CodeSettingsPageProps) {
  const { t } = useTranslation()
  const { settings, state, problem } = useStore(store)
  useEffect(() => void loadCodeSettings(store), [store])
  const save: SaveSettings = async (values) => {
    await saveCodeSettings(store, values)
    toast({ text: t('common.saved') })
    onChanged()
  }
  if (problem !== null) {
    return (
      <FailedLine
        title={t('code.settings.loadFailed')}
        problem={problem}
        onRetry={() => void loadCodeSettings(store)}
      />
    )
  }
  if (!settings || !state) return <PageWait />
  const limits = [...settings.values()].filter(
    ({ key, group }) => group === 'code' && !ELSEWHERE.has(key),
  )
  const source = settings.get('CODE_PACKAGES_URL')
  const prompt = settings.get('CODE_INTERPRETER_PROMPT_TEMPLATE')
  return (
    <>
      <StateSection settings={settings} state={state} onSave={save} />
      {PURPOSES.map((purpose) => (
        <PageSection
          key={purpose.name}
          title={t(`code.settings.${purpose.name}`)}
          text={t(`code.settings.${purpose.name}Text`)}
        >
          <EngineForm purpose={purpose} settings={settings} onSave={save} />
        </PageSection>
      ))}
      <PackagesSection
        store={store}
        source={
          source && (
            <ul className="mt-3 rounded-large border border-line bg-raised">
              <SettingRow
                setting={source}
                label={t('code.settings.packages.source')}
                onSave={async (value) => {
                  await save({ CODE_PACKAGES_URL: value })
                  await loadCodeSettings(store)
                }}
              />
            </ul>
          )
        }
      />
      {prompt && (
        <TextSettingSection
          key={JSON.stringify(prompt.value)}
          setting={prompt}
          title={t('code.settings.prompt')}
          text={t('code.settings.promptText')}
          label={t('code.settings.promptLabel')}
          resetLabel={t('code.settings.promptReset')}
          className="font-mono text-code"
          onSave={save}
        />
      )}
      {limits.length > 0 && (
        <PageSection title={t('code.settings.limits')} text={t('code.settings.limitsText')}>
          <ul className="divide-y divide-line rounded-large border border-line bg-raised">
            {limits.map((setting) => (
              <SettingRow
                key={setting.key}
                setting={setting}
                onSave={(value) => save({ [setting.key]: value })}
              />
            ))}
          </ul>
        </PageSection>
      )}
    </>
  )
}

import '../../ui/pictures/strings.ts'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { FailedLine } from '../../ui/lists/failed-line.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { SettingRow } from '../../ui/settings/setting-row.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import { EngineForm } from './engine-form.tsx'
import { EDITING, MAKING } from './engine-keys.ts'
import {
  loadSettings,
  type SettingsStore,
  saveSettings,
  type SaveSettings,
} from '../../ui/settings/settings-store.ts'
import { StateSection } from './state-section.tsx'

const PROMPT_KEYS = [
  'ENABLE_IMAGE_PROMPT_GENERATION',
  'IMAGE_PROMPT_GENERATION_PROMPT_TEMPLATE',
] as const

interface PictureSettingsPageProps {
  readonly store: SettingsStore
  readonly onChanged: () => void
}

/** Settings of pictures: engines for generating and editing, users, and transmitted data. */
export function PictureSettingsPage({ store, onChanged }: PictureSettingsPageProps) {
  const { t } = useTranslation()
  const { settings, problem } = useStore(store)
  useEffect(() => void loadSettings(store), [store])
  const save: SaveSettings = async (values) => {
    await saveSettings(store, values)
    toast({ text: t('common.saved') })
    onChanged()
  }
  if (problem !== null) {
    return (
      <FailedLine
        title={t('pictures.settings.loadFailed')}
        problem={problem}
        onRetry={() => void loadSettings(store)}
      />
    )
  }
  if (settings === null) return <PageWait />
  const prompts = PROMPT_KEYS.flatMap((key) => settings.get(key) ?? [])
  return (
    <>
      <StateSection settings={settings} onSave={save} />
      <PageSection title={t('pictures.settings.making')} text={t('pictures.settings.makingText')}>
        <EngineForm purpose={MAKING} settings={settings} onSave={save} />
      </PageSection>
      <PageSection title={t('pictures.settings.editing')} text={t('pictures.settings.editingText')}>
        <EngineForm purpose={EDITING} settings={settings} onSave={save} />
      </PageSection>
      {prompts.length > 0 && (
        <PageSection
          title={t('pictures.settings.template')}
          text={t('pictures.settings.templateText')}
        >
          <ul className="divide-y divide-line rounded-large border border-line bg-raised">
            {prompts.map((setting) => (
              <SettingRow
                key={setting.key}
                setting={setting}
                label={t(`pictures.settings.labels.${setting.key as (typeof PROMPT_KEYS)[number]}`)}
                onSave={(value) => save({ [setting.key]: value })}
              />
            ))}
          </ul>
        </PageSection>
      )}
    </>
  )
}

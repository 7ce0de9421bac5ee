import '../../ui/pictures/strings.ts'
import { useTranslation } from 'react-i18next'
import type { Setting } from '#contract/settings.ts'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { LoadedSettings } from '../../ui/settings/loaded-settings.tsx'
import { SettingRow } from '../../ui/settings/setting-row.tsx'
import type { SaveSettings, SettingsStore } from '../../ui/settings/settings-store.ts'
import { EngineForm } from './engine-form.tsx'
import { EDITING, MAKING } from './engine-keys.ts'
import { StateSection } from './state-section.tsx'

const PROMPT_KEYS = [
  'ENABLE_IMAGE_PROMPT_GENERATION',
  'IMAGE_PROMPT_GENERATION_PROMPT_TEMPLATE',
] as const

interface SectionsProps {
  readonly settings: ReadonlyMap<string, Setting>
  readonly onSave: SaveSettings
}

function Sections({ settings, onSave }: SectionsProps) {
  const { t } = useTranslation()
  const prompts = PROMPT_KEYS.flatMap((key) => settings.get(key) ?? [])
  return (
    <>
      <StateSection settings={settings} onSave={onSave} />
      <PageSection title={t('pictures.settings.making')} text={t('pictures.settings.makingText')}>
        <EngineForm purpose={MAKING} settings={settings} onSave={onSave} />
      </PageSection>
      <PageSection title={t('pictures.settings.editing')} text={t('pictures.settings.editingText')}>
        <EngineForm purpose={EDITING} settings={settings} onSave={onSave} />
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
                onSave={(value) => onSave({ [setting.key]: value })}
              />
            ))}
          </ul>
        </PageSection>
      )}
    </>
  )
}

interface PictureSettingsPageProps {
  readonly store: SettingsStore
  readonly onChanged: () => void
}

/** Settings of pictures: engines for generating and editing, users, and transmitted data. */
export function PictureSettingsPage(props: PictureSettingsPageProps) {
  const { t } = useTranslation()
  return (
    <LoadedSettings {...props} failedTitle={t('pictures.settings.loadFailed')}>
      {(settings, save) => <Sections settings={settings} onSave={save} />}
    </LoadedSettings>
  )
}

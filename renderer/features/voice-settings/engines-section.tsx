import '../../ui/voice/strings.ts'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { SettingValue } from '#contract/settings.ts'
import { FailedLine } from '../../ui/lists/failed-line.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import { LISTEN, SPEAK } from './engine-fields.ts'
import { EngineForm } from './engine-form.tsx'
import { LocalSpeechSection } from './local-speech-section.tsx'
import { createLocalSpeechStore } from './local-speech-store.ts'
import { loadSettings, saveSettings, type SettingsStore } from '../../ui/settings/settings-store.ts'

const localSpeech = createLocalSpeechStore()

interface EnginesSectionProps {
  readonly store: SettingsStore
  readonly onChanged: () => void
}

/** Speech and recognition engines for all users. */
export function EnginesSection({ store, onChanged }: EnginesSectionProps) {
  const { t } = useTranslation()
  const { settings, problem } = useStore(store)
  useEffect(() => void loadSettings(store), [store])
  const save = async (values: Readonly<Record<string, SettingValue>>): Promise<void> => {
    await saveSettings(store, values)
    toast({ text: t('common.saved') })
    onChanged()
  }
  if (problem !== null) {
    return (
      <FailedLine
        title={t('voice.settings.loadFailed')}
        problem={problem}
        onRetry={() => void loadSettings(store)}
      />
    )
  }
  if (settings === null) return <PageWait />
  const isLocal = settings.get(LISTEN.engine)?.value === 'local'
  return (
    <>
      {[SPEAK, LISTEN].map((direction) => (
        <PageSection
          key={direction.name}
          title={t(`voice.settings.${direction.name}Engine`)}
          text={t(`voice.settings.${direction.name}EngineText`)}
        >
          <EngineForm direction={direction} settings={settings} onSave={save} />
        </PageSection>
      ))}
      {isLocal && <LocalSpeechSection store={localSpeech} />}
    </>
  )
}

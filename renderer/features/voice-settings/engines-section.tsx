import '../../ui/voice/strings.ts'
import { useTranslation } from 'react-i18next'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { LoadedSettings } from '../../ui/settings/loaded-settings.tsx'
import type { SettingsStore } from '../../ui/settings/settings-store.ts'
import { LISTEN, SPEAK } from './engine-fields.ts'
import { EngineForm } from './engine-form.tsx'
import { LocalSpeechSection } from './local-speech-section.tsx'
import { createLocalSpeechStore } from './local-speech-store.ts'

const localSpeech = createLocalSpeechStore()

interface EnginesSectionProps {
  readonly store: SettingsStore
  readonly onChanged: () => void
}

/** Speech and recognition engines for all users. */
export function EnginesSection(props: EnginesSectionProps) {
  const { t } = useTranslation()
  return (
    <LoadedSettings {...props} failedTitle={t('voice.settings.loadFailed')}>
      {(settings, save) => (
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
          {settings.get(LISTEN.engine)?.value === 'local' && (
            <LocalSpeechSection store={localSpeech} />
          )}
        </>
      )}
    </LoadedSettings>
  )
}

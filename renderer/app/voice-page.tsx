import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { isAdmin, refreshConfig } from '../features/auth/session-store.ts'
import { EnginesSection } from '../features/voice-settings/engines-section.tsx'
import { OwnVoice } from '../features/voice-settings/own-voice.tsx'
import { createVoiceSettingsStore } from '../features/voice-settings/voice-settings-store.ts'
import { voiceRightsOf } from './permissions.ts'
import { sessionStore } from './stores.ts'

const settingsStore = createVoiceSettingsStore()

/** Voice settings of the user, and for administrators the speech engines. */
export function VoicePage() {
  const rights = useStore(sessionStore, useShallow(voiceRightsOf))
  const admin = useStore(sessionStore, isAdmin)
  const engine = useStore(sessionStore, (state) => state.config?.audio?.tts.engine ?? '')
  return (
    <>
      <OwnVoice key={engine} rights={rights} />
      {admin && (
        <EnginesSection store={settingsStore} onChanged={() => void refreshConfig(sessionStore)} />
      )}
    </>
  )
}

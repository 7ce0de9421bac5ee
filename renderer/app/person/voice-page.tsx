import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { isAdmin } from '../../features/auth/session-store.ts'
import { OwnVoice } from '../../features/voice-settings/own-voice.tsx'
import { voiceRightsOf } from './permissions.ts'
import { sessionStore } from '../stores.ts'

/** Voice settings of the user. Administrators set up the engines for everyone on another page. */
export function VoicePage() {
  const rights = useStore(sessionStore, useShallow(voiceRightsOf))
  const admin = useStore(sessionStore, isAdmin)
  const engine = useStore(sessionStore, (state) => state.config?.audio?.tts.engine ?? '')
  return <OwnVoice key={engine} rights={rights} hasEngines={admin} />
}

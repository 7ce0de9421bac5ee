import { lazy, type RefObject, Suspense } from 'react'
import { useChatView } from '../chat-context.ts'
import type { Draft } from '../draft.ts'

const VoiceButtons = lazy(async () => ({
  default: (await import('./voice-buttons.tsx')).VoiceButtons,
}))

interface VoiceToolsProps {
  readonly draft: Draft
  readonly box: RefObject<HTMLTextAreaElement | null>
  readonly onChange: (draft: Draft) => void
}

/** What works by voice, fetched for who may use any of it. */
export function VoiceTools(props: VoiceToolsProps) {
  const { chat, voice, model, ask } = useChatView()
  if (!voice.mayCall && !voice.mayListen && !voice.maySpeak) return null
  return (
    <Suspense>
      <VoiceButtons {...props} chat={chat} rights={voice} hasModel={model !== null} onSend={ask} />
    </Suspense>
  )
}

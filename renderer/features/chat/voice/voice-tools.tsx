import { type RefObject, Suspense } from 'react'
import { useChatView } from '../chat-context.ts'
import type { Draft } from '../composer/draft.ts'
import { lazyPart } from '../../../lib/lazy-part.ts'

const VoiceButtons = lazyPart(() => import('./voice-buttons.tsx'), 'VoiceButtons')

interface VoiceToolsProps {
  readonly draft: Draft
  readonly box: RefObject<HTMLTextAreaElement | null>
  readonly onChange: (draft: Draft) => void
}

/** Voice features, loaded for users permitted to use any of them. */
export function VoiceTools(props: VoiceToolsProps) {
  const { chat, voice, model, ask } = useChatView()
  if (!voice.mayCall && !voice.mayListen && !voice.maySpeak) return null
  return (
    <Suspense>
      <VoiceButtons {...props} chat={chat} rights={voice} hasModel={model !== null} onSend={ask} />
    </Suspense>
  )
}

import '../../../ui/voice/strings.ts'
import { Square, Volume2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { useChatView } from '../chat-context.ts'
import type { ChatMessage } from '../chat-store.ts'
import { readAloud, readingStore, stopReading } from './reading.ts'

/** Button that reads an answer aloud or stops reading. */
export function ReadAloudAction({ message }: { message: ChatMessage }) {
  const { t } = useTranslation()
  const { chat, voice } = useChatView()
  const isReading = useStore(readingStore, ({ messageId }) => messageId === message.id)
  if (isReading)
    return (
      <IconButton
        label={t('voice.stopReading')}
        icon={<Square className="fill-current" />}
        onClick={stopReading}
      />
    )
  return (
    <IconButton
      label={t('voice.readAloud')}
      icon={<Volume2 />}
      onClick={() => void readAloud(chat.store, message.id, voice)}
    />
  )
}

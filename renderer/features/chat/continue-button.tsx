import { StepForward } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { useChat, useChatView } from './chat-context.ts'
import { type ChatMessage, selectIsAnswering } from './chat-store.ts'
import { isCutShort, modelToContinue } from './continue-answer.ts'

/** Goes on with an answer that stops before its end; only the last one of a branch can grow. */
export function ContinueButton({ message, isLast }: { message: ChatMessage; isLast: boolean }) {
  const { t } = useTranslation()
  const { goOn, mayContinue, models, model } = useChatView()
  const isAnswering = useChat(selectIsAnswering)
  if (!isLast || !mayContinue || !isCutShort(message)) return null
  return (
    <Button
      icon={<StepForward aria-hidden="true" className="size-3.5 rtl:-scale-x-100" />}
      disabled={isAnswering || modelToContinue(message, models, model) === null}
      onClick={() => goOn(message.id)}
    >
      {t('chat.continue.label')}
    </Button>
  )
}

import { StepForward } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button, type ButtonTone } from '../../../ui/controls/button.tsx'
import { useChat, useChatView } from '../chat-context.ts'
import { type ChatMessage, selectIsAnswering } from '../chat-store.ts'
import { isCutShort, modelToContinue } from '../sending/continue-answer.ts'

/** Only the last answer of a branch can grow. */
export function useCanContinue(message: ChatMessage, isLast: boolean): boolean {
  const { mayContinue } = useChatView()
  return isLast && mayContinue && isCutShort(message)
}

interface ContinueButtonProps {
  readonly message: ChatMessage
  readonly isLast: boolean
  readonly tone?: ButtonTone
}

/** Button that continues an incomplete answer. */
export function ContinueButton({ message, isLast, tone = 'secondary' }: ContinueButtonProps) {
  const { t } = useTranslation()
  const { goOn, models, model } = useChatView()
  const isAnswering = useChat(selectIsAnswering)
  const canContinue = useCanContinue(message, isLast)
  if (!canContinue) return null
  return (
    <Button
      tone={tone}
      className="h-control"
      icon={<StepForward className="size-3.5 rtl:-scale-x-100" />}
      disabled={isAnswering || modelToContinue(message, models, model) === null}
      onClick={() => goOn(message.id)}
    >
      {t('chat.continue.label')}
    </Button>
  )
}

import { CornerDownRight, Pencil } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { useChatView } from '../chat-context.ts'
import type { ChatMessage } from '../chat-store.ts'

const MOST = 5

/** Returns the questions a stored message suggests; entries that are not strings are left out. */
export const toFollowUps = (message: ChatMessage): string[] =>
  (Array.isArray(message.followUps) ? message.followUps : [])
    .filter((text): text is string => typeof text === 'string' && text.trim() !== '')
    .slice(0, MOST)

/** Follow-up questions: a click sends one, the pencil inserts it into the box first. */
export function FollowUps({ message }: { message: ChatMessage }) {
  const { t } = useTranslation()
  const { ask, propose } = useChatView()
  const questions = toFollowUps(message)
  if (questions.length === 0) return null
  return (
    <ul
      aria-label={t('chat.followUps.label')}
      className="mt-3 flex animate-appear flex-col border-t border-line"
    >
      {questions.map((question) => (
        <li key={question} className="flex items-center border-b border-line">
          <button
            type="button"
            dir="auto"
            className="flex min-h-10 min-w-0 flex-1 items-center gap-2.5 rounded-small px-1 py-2 text-start text-ui text-muted hover:text-ink pointer-coarse:min-h-11"
            onClick={() => ask(question)}
          >
            <CornerDownRight className="size-4 shrink-0 rtl:-scale-x-100" />
            <span className="wrap-anywhere">{question}</span>
          </button>
          <IconButton
            label={t('chat.followUps.edit', { question })}
            hint={t('chat.followUps.editHint')}
            icon={<Pencil />}
            onClick={() => propose(question)}
          />
        </li>
      ))}
    </ul>
  )
}

import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { Button } from '../../ui/controls/button.tsx'
import { chatDeps, type OpenChat } from './chat-registry.ts'
import { readBranch } from './load-chat.ts'

/** Reason the chat cannot be shown, with a retry button. */
export function ChatFailure({ chat }: { chat: OpenChat }) {
  const { t } = useTranslation()
  const failure = useStore(chat.store, (state) => state.failure)
  return (
    <div
      role="alert"
      className="flex flex-1 flex-col items-center justify-center gap-3 px-6 text-center"
    >
      <p className="text-head-1 font-semibold">{t('chat.list.failed')}</p>
      <p className="max-w-md text-ui text-muted">{failure}</p>
      <Button onClick={() => void readBranch(chat.store, chatDeps)}>{t('chat.list.retry')}</Button>
    </div>
  )
}

const LINES = ['w-11/12', 'w-full', 'w-4/5', 'w-3/5'] as const

/** Placeholders in the shape of a question and its answer; a chat that loads fast shows none. */
export const ChatLoading = () => {
  const { t } = useTranslation()
  return (
    <div className="min-h-0 flex-1 animate-late overflow-hidden">
      <p className="sr-only">{t('chat.list.loading')}</p>
      <div
        aria-hidden="true"
        className="mx-auto flex max-w-[calc(var(--column)+3rem)] flex-col gap-message-gap px-4 pt-6 sm:px-6"
      >
        <span className="h-11.5 w-3/5 self-end rounded-large bg-hover" />
        <div className="flex flex-col gap-3.5 pt-1">
          <span className="h-6 w-32 rounded-small bg-hover" />
          {LINES.map((width) => (
            <span key={width} className={`h-4 rounded-small bg-hover ${width}`} />
          ))}
        </div>
      </div>
    </div>
  )
}

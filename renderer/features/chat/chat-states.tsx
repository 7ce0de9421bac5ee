import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { Button } from '../../ui/controls/button.tsx'
import { Spinner } from '../../ui/marks/spinner.tsx'
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

export const ChatLoading = () => {
  const { t } = useTranslation()
  return (
    <div className="flex flex-1 items-center justify-center text-muted">
      <Spinner className="animate-appear [animation-delay:200ms]" />
      <span className="sr-only">{t('chat.list.loading')}</span>
    </div>
  )
}

import { MessageCircleDashed, Save } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { chatPath, currentPath, currentRoute, navigate } from '../../lib/router.ts'
import { Button } from '../../ui/controls/button.tsx'
import { chatDeps, type OpenChat } from './chat-registry.ts'
import { isTemporaryId, selectIsAnswering } from './chat-store.ts'
import { chatViewStore } from './chat-view-store.ts'
import { saveTemporaryChat } from './temporary-chat.ts'
import { toastError } from '../../ui/floating/toast.tsx'

/** Marks a conversation that is not stored, and offers to store it. */
export function TemporaryNote({ chat, maySave }: { chat: OpenChat; maySave: boolean }) {
  const { t } = useTranslation()
  const hasBegun = useStore(chat.store, (state) => isTemporaryId(state.chatId))
  const isAnswering = useStore(chat.store, selectIsAnswering)
  const [busy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    const from = currentPath()
    setBusy(true)
    try {
      const chatId = await saveTemporaryChat(chat.store, chatDeps)
      chatViewStore.setState({ isTemporary: false })
      // The quick window of the desktop app keeps its own URL.
      if (currentRoute().name === 'chat') navigate(chatPath(chatId), { replace: true, from })
      setBusy(false)
    } catch (thrown) {
      toastError(thrown)
      setBusy(false)
    }
  }
  return (
    <div
      role="note"
      className="mx-3 my-1 flex max-w-column flex-wrap sm:mx-6 lg:mx-auto lg:w-full items-center gap-x-3 gap-y-1 rounded-medium border border-dashed border-edge px-3 py-1.5 text-small text-muted"
    >
      <MessageCircleDashed className="size-4 shrink-0" />
      <p className="min-w-0 flex-1">{t('chat.temporary.note')}</p>
      {hasBegun && maySave && (
        <Button
          icon={<Save className="size-3.5" />}
          busy={busy}
          disabled={isAnswering}
          onClick={() => void save()}
        >
          {t('chat.temporary.save')}
        </Button>
      )}
    </div>
  )
}

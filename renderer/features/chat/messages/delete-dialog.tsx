import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx'
import { toastError } from '../../../ui/floating/toast.tsx'
import { countDeleted, deleteMessage } from '../branches/change-branch.ts'
import { chatDeps, type OpenChat } from '../chat-registry.ts'

interface DeleteDialogProps {
  readonly chat: OpenChat
  /** Id of the message to delete; null while the dialog is closed. */
  readonly messageId: string | null
  readonly onClose: () => void
}

/** Dialog that states the number of messages to be deleted before deleting them. */
export function DeleteDialog({ chat, messageId, onClose }: DeleteDialogProps) {
  const { t } = useTranslation()
  const [count, setCount] = useState<number | null>(null)
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    if (messageId === null) return
    let isWanted = true
    void countDeleted(chat.store, chatDeps, messageId).then(
      (found) => isWanted && setCount(found),
      toastError,
    )
    return () => {
      isWanted = false
      setCount(null)
    }
  }, [chat, messageId])
  const handleConfirm = (): void => {
    if (messageId === null) return
    setBusy(true)
    void deleteMessage(chat.store, chatDeps, messageId)
      .catch(toastError)
      .finally(() => {
        setBusy(false)
        onClose()
      })
  }
  return (
    <ConfirmDialog
      open={messageId !== null}
      onClose={onClose}
      title={t('chat.delete.title')}
      description={count === null ? t('chat.delete.counting') : t('chat.delete.text', { count })}
      confirmLabel={t('chat.delete.confirm')}
      danger
      busy={isBusy || count === null}
      onConfirm={handleConfirm}
    />
  )
}

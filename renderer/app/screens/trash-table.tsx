import { RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { call, endpoints } from '../../api/client.ts'
import { deleteChat, restoreChat } from '../../features/chats/change-chat.ts'
import { ChatTable, type TableAction } from '../../features/chats/chat-table.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import { isPermitted } from '../permissions.ts'
import { chatsStore, sessionStore } from '../stores.ts'
import { tellFailure } from '../tell-failure.ts'
import { type Chats, useDoing } from './use-doing.ts'

/** Something that cannot be taken back and waits for a yes. `answer` is told whether it was given. */
interface Question {
  /** Null for everything in the trash. */
  readonly chats: Chats | null
  readonly answer: (isWanted: boolean) => void
}

function useTrashActions(ask: (chats: Chats | null) => Promise<boolean>, onUndone: () => void): readonly TableAction[] {
  const { t } = useTranslation()
  const canDelete = useStore(sessionStore, isPermitted('chat.delete'))
  const doing = useDoing(onUndone)
  const restore: TableAction = {
    label: t('chats.trashRestore'),
    icon: <RotateCcw className="size-4" />,
    act: doing({
      failure: 'chats.restoreFailed',
      act: (chat) => restoreChat(chatsStore, chat.id),
      ...(canDelete && { undo: (chat) => deleteChat(chatsStore, chat) }),
      toText: (title) => t('chats.restored', { title }),
    }),
  }
  const erase = doing({
    failure: 'chats.eraseFailed',
    act: (chat) => call(endpoints.chats.erase, { params: { chat_id: chat.id } }),
    toText: (title) => t('chats.erased', { title }),
  })
  const remove: TableAction = {
    label: t('chats.erase'),
    icon: <Trash2 className="size-4" />,
    danger: true,
    act: async (chats) => ((await ask(chats)) ? erase(chats) : []),
  }
  return canDelete ? [restore, remove] : [restore]
}

function EraseDialog({ question }: { question: Question }) {
  const { t } = useTranslation()
  const { chats, answer } = question
  const title = chats?.length === 1 ? chats[0]?.title || t('chats.untitled') : t('chats.countOf', { count: chats?.length ?? 0 })
  return (
    <ConfirmDialog
      open
      danger
      title={chats === null ? t('chats.emptyTrashTitle') : t('chats.eraseTitle', { title })}
      description={t('chats.eraseText')}
      confirmLabel={chats === null ? t('chats.emptyTrash') : t('chats.erase')}
      onConfirm={() => answer(true)}
      onOpenChange={(open) => !open && answer(false)}
    />
  )
}

/** Deleted chats, to be brought back or erased. */
export function TrashTable() {
  const { t } = useTranslation()
  const [question, setQuestion] = useState<Question | null>(null)
  // A new number draws the table afresh.
  const [turn, setTurn] = useState(0)
  const canDelete = useStore(sessionStore, isPermitted('chat.delete'))
  const ask = async (chats: Chats | null): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    setQuestion({ chats, answer: resolve })
    const isWanted = await promise
    setQuestion(null)
    return isWanted
  }
  const redraw = (): void => setTurn((count) => count + 1)
  const actions = useTrashActions(ask, redraw)
  const emptyTrash = async (): Promise<void> => {
    if (!(await ask(null))) return
    await call(endpoints.chats.emptyTrash, {})
    redraw()
    toast({ text: t('chats.trashEmptied') })
  }
  const emptyButton = canDelete && (
    <Button icon={<Trash2 className="size-4" />} onClick={() => void emptyTrash().catch(tellFailure('chats.eraseFailed'))}>
      {t('chats.emptyTrash')}
    </Button>
  )
  return (
    <>
      <ChatTable key={turn} kind="trash" actions={actions} tools={emptyButton} />
      {question && <EraseDialog question={question} />}
    </>
  )
}

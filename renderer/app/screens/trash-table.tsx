import { RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { TrashedFolder } from '#contract/folders.ts'
import { call, endpoints } from '../../api/client.ts'
import { deleteChat, restoreChat } from '../../features/chats/change-chat.ts'
import { ChatTable, type TableAction } from '../../features/chats/chat-table.tsx'
import { TrashedFolders } from '../../features/folders/trashed-folders.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { DeletionsNote } from '../../ui/dialogs/deletions-note.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import { bringBackFolder } from '../chats/folder-actions.ts'
import { isPermitted } from '../person/permissions.ts'
import { chatsStore, sessionStore } from '../stores.ts'
import { tellFailure } from '../../ui/floating/tell-failure.ts'
import { type Chats, useDoing } from './use-doing.ts'
import { useTrashedFolders } from './use-trashed-folders.ts'

const DELETIONS = ['chats'] as const

/** An irreversible action awaiting confirmation. `answer` receives the decision. */
interface Question {
  /** Chats, a folder, or null for everything in the trash. */
  readonly what: Chats | TrashedFolder | null
  readonly answer: (isWanted: boolean) => void
}

interface TrashActionsOptions {
  readonly ask: (what: Question['what']) => Promise<boolean>
  readonly onUndone: () => void
  readonly onErased: () => void
}

function useTrashActions({ ask, onUndone, onErased }: TrashActionsOptions): readonly TableAction[] {
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
    act: async (chats) => ((await ask(chats)) ? erase(chats).finally(onErased) : []),
  }
  return canDelete ? [restore, remove] : [restore]
}

function useTitle(what: Question['what']): string {
  const { t } = useTranslation()
  if (what === null) return ''
  if ('id' in what) return what.name
  return what.length === 1
    ? what[0]?.title || t('chats.untitled')
    : t('chats.countOf', { count: what.length })
}

function EraseDialog({ question }: { question: Question }) {
  const { t } = useTranslation()
  const { what, answer } = question
  const isFolder = what !== null && 'id' in what
  const title = useTitle(what)
  return (
    <ConfirmDialog
      danger
      title={what === null ? t('chats.emptyTrashTitle') : t('chats.eraseTitle', { title })}
      description={isFolder ? t('folders.eraseText') : t('chats.eraseText')}
      confirmLabel={what === null ? t('chats.emptyTrash') : t('chats.erase')}
      onConfirm={() => answer(true)}
      onClose={() => answer(false)}
    />
  )
}

/** Deleted chats and folders, which can be restored or erased. */
export function TrashTable() {
  const { t } = useTranslation()
  const [question, setQuestion] = useState<Question | null>(null)
  // A new number reloads the table.
  const [turn, setTurn] = useState(0)
  const [erasures, setErasures] = useState(0)
  const canDelete = useStore(sessionStore, isPermitted('chat.delete'))
  const ask = async (what: Question['what']): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    setQuestion({ what, answer: resolve })
    const isWanted = await promise
    setQuestion(null)
    return isWanted
  }
  const redraw = (): void => setTurn((count) => count + 1)
  const actions = useTrashActions({
    ask,
    onUndone: redraw,
    onErased: () => setErasures((count) => count + 1),
  })
  const folders = useTrashedFolders(turn)
  const restoreFolder = async ({ id }: TrashedFolder): Promise<void> => {
    await bringBackFolder(id)
    redraw()
  }
  const eraseFolder = async (folder: TrashedFolder): Promise<void> => {
    if (!(await ask(folder))) return
    await call(endpoints.folders.erase, { params: { folder_id: folder.id } })
    redraw()
    toast({ text: t('folders.erased', { name: folder.name }) })
  }
  const emptyTrash = async (): Promise<void> => {
    if (!(await ask(null))) return
    await call(endpoints.chats.emptyTrash, {})
    redraw()
    toast({ text: t('chats.trashEmptied') })
  }
  const emptyButton = canDelete && (
    <Button
      tone="quiet"
      icon={<Trash2 className="size-4" />}
      onClick={() => void emptyTrash().catch(tellFailure('chats.eraseFailed'))}
    >
      {t('chats.emptyTrash')}
    </Button>
  )
  return (
    <>
      {folders.length > 0 && (
        <div className="mb-8">
          <TrashedFolders
            folders={folders}
            onRestore={(folder) =>
              void restoreFolder(folder).catch(tellFailure('folders.restoreFailed'))
            }
            onErase={(folder) => void eraseFolder(folder).catch(tellFailure('chats.eraseFailed'))}
          />
        </div>
      )}
      <ChatTable
        key={turn}
        kind="trash"
        actions={actions}
        tools={emptyButton}
        {...(folders.length > 0 && { noneText: t('chats.trashNoChats') })}
      />
      <DeletionsNote turn={turn + erasures} kinds={DELETIONS} />
      {question && <EraseDialog question={question} />}
    </>
  )
}

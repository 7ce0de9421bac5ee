import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { KnowledgeDirectory, KnowledgeFile } from '#contract/knowledge.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { toastError } from '../../ui/floating/toast.tsx'
import type { AddKind } from './add-menu.tsx'
import type { CollectionSession } from './collection-session.ts'
import { createDirectory, removeDirectory, updateDirectory } from './collection-store.ts'
import { DirectoryDialog } from './directory-dialog.tsx'
import { ExistingDialog } from './existing-dialog.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { PageDialog } from './page-dialog.tsx'
import { SyncDialog } from './sync-dialog.tsx'
import { TextDialog } from './text-dialog.tsx'

/** An open dialog about a collection. */
export type FilesDialog =
  | { readonly kind: AddKind }
  | { readonly kind: 'rename' | 'remove'; readonly directory: KnowledgeDirectory }
  | {
      readonly kind: 'move'
      readonly directory?: KnowledgeDirectory
      readonly file?: KnowledgeFile
    }

interface FilesDialogsProps {
  readonly session: CollectionSession
  readonly userId: string
  readonly dialog: FilesDialog
  readonly onClose: () => void
}

function RemoveDirectory({
  session,
  directory,
  onClose,
}: Omit<FilesDialogsProps, 'dialog' | 'userId'> & { directory: KnowledgeDirectory }) {
  const { t } = useTranslation()
  const remove = (): void => {
    onClose()
    removeDirectory(session.store, directory.id).catch(toastError)
  }
  return (
    <ConfirmDialog
      danger
      onClose={onClose}
      title={t('knowledge.directoryRemoveTitle', { name: directory.name })}
      description={t('knowledge.directoryRemoveText')}
      confirmLabel={t('common.delete')}
      onConfirm={remove}
    />
  )
}

/** The dialog that is currently open. */
export function FilesDialogs({ session, userId, dialog, onClose }: FilesDialogsProps) {
  const { store } = session
  const directoryId = useStore(store, (state) => state.directoryId)
  const shared = { session, onClose }
  switch (dialog.kind) {
    case 'existing':
      return <ExistingDialog {...shared} userId={userId} />
    case 'page':
      return <PageDialog {...shared} />
    case 'text':
      return <TextDialog {...shared} />
    case 'sync':
      return <SyncDialog {...shared} />
    case 'directory':
      return (
        <DirectoryDialog
          name=""
          onSave={(name) => createDirectory(store, name, directoryId)}
          onClose={onClose}
        />
      )
    case 'rename': {
      const { id, name } = dialog.directory
      return (
        <DirectoryDialog
          name={name}
          onSave={(next) => updateDirectory(store, id, { name: next })}
          onClose={onClose}
        />
      )
    }
    case 'remove':
      return <RemoveDirectory {...shared} directory={dialog.directory} />
    case 'move':
      return (
        <MoveDialog
          store={store}
          file={dialog.file}
          directory={dialog.directory}
          onClose={onClose}
        />
      )
  }
}

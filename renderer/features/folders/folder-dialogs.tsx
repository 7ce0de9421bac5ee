import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Folder, FolderItem } from '#contract/folders.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { RadioList } from '../../ui/controls/radio.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { Spinner } from '../../ui/marks/spinner.tsx'
import { TextArea, TextField } from '../../ui/fields/text-field.tsx'
import { createFolder, saveFolder } from './change-folder.ts'
import type { FoldersStore } from './folders-store.ts'

interface NewFolderDialogProps {
  readonly store: FoldersStore
  readonly parentId: string | null
  readonly onClose: () => void
}

/** Asks for the name of a new folder. */
export function NewFolderDialog({ store, parentId, onClose }: NewFolderDialogProps) {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const { problem, busy, handleSubmit } = useAction(
    () => createFolder(store, name.trim(), parentId),
    onClose,
  )
  return (
    <FormDialog
      title={t('folders.new')}
      submission={{ busy, problem, handleSubmit }}
      submitLabel={t('folders.create')}
      isReady={name.trim() !== ''}
      onClose={onClose}
    >
      <TextField
        label={t('folders.name')}
        required
        maxLength={200}
        autoComplete="off"
        value={name}
        onChange={setName}
      />
    </FormDialog>
  )
}

const promptOf = (folder: Folder): string =>
  typeof folder.data?.system_prompt === 'string' ? folder.data.system_prompt : ''

/** Renders the picker for the documents that every chat of a folder uses. */
type PickKnowledge = (value: unknown, onChange: (entries: readonly unknown[]) => void) => ReactNode

const filesOf = (folder: Folder): readonly unknown[] =>
  Array.isArray(folder.data?.files) ? folder.data.files : []

interface FolderFormProps {
  readonly store: FoldersStore
  readonly folder: Folder
  readonly pickKnowledge: PickKnowledge
  readonly onClose: () => void
}

function FolderForm({ store, folder, pickKnowledge, onClose }: FolderFormProps) {
  const { t } = useTranslation()
  const [name, setName] = useState(folder.name)
  const [systemPrompt, setSystemPrompt] = useState(promptOf(folder))
  const [files, setFiles] = useState(filesOf(folder))
  const { problem, busy, handleSubmit } = useAction(
    () => saveFolder(store, folder.id, { name, systemPrompt, files }),
    onClose,
  )
  return (
    <form onSubmit={handleSubmit} className="flex flex-col gap-4">
      <FormProblem text={problem} />
      <TextField
        label={t('folders.name')}
        required
        maxLength={200}
        autoComplete="off"
        value={name}
        onChange={setName}
      />
      <TextArea
        label={t('folders.instructions')}
        hint={t('folders.instructionsHint')}
        rows={7}
        maxLength={500_000}
        value={systemPrompt}
        onChange={setSystemPrompt}
      />
      <section aria-label={t('folders.knowledge')} className="flex flex-col gap-2">
        <h3 className="font-medium">{t('folders.knowledge')}</h3>
        <p className="text-small text-muted">{t('folders.knowledgeHint')}</p>
        {pickKnowledge(files, setFiles)}
      </section>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button tone="primary" type="submit" busy={busy} disabled={!name.trim()}>
          {t('common.save')}
        </Button>
      </div>
    </form>
  )
}

interface FolderDialogProps extends Omit<FolderFormProps, 'folder'> {
  readonly folder: FolderItem
}

/** Name, instructions and documents of a folder. */
export function FolderDialog({ store, folder, pickKnowledge, onClose }: FolderDialogProps) {
  const { t } = useTranslation()
  const { value: whole, problem } = useLoaded(
    () => call(endpoints.folders.get, { params: { folder_id: folder.id } }),
    [folder.id],
  )
  return (
    <Dialog wide onClose={onClose} title={t('folders.settingsOf', { name: folder.name })}>
      <FormProblem text={problem} />
      {whole ? (
        <FolderForm store={store} folder={whole} pickKnowledge={pickKnowledge} onClose={onClose} />
      ) : (
        !problem && (
          <span className="grid h-72 place-items-center">
            <Spinner />
          </span>
        )
      )}
    </Dialog>
  )
}

interface DeleteFolderDialogProps {
  readonly folder: FolderItem
  /** True if the user may delete chats, which is required to delete them with the folder. */
  readonly canDeleteChats: boolean
  readonly onConfirm: (withChats: boolean) => void
  readonly onClose: () => void
}

/** Asks whether the chats of a deleted folder should be kept. */
export function DeleteFolderDialog({
  folder,
  canDeleteChats,
  onConfirm,
  onClose,
}: DeleteFolderDialogProps) {
  const { t } = useTranslation()
  const [withChats, setWithChats] = useState(false)
  const choices = [
    { value: 'keep', label: t('folders.keepChats'), hint: t('folders.keepChatsHint') },
    ...(canDeleteChats
      ? [{ value: 'delete', label: t('folders.deleteChats'), hint: t('folders.deleteChatsHint') }]
      : []),
  ]
  return (
    <Dialog
      onClose={onClose}
      title={t('folders.deleteTitle', { name: folder.name })}
      description={t('folders.deleteText')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            tone="danger"
            onClick={() => {
              onClose()
              onConfirm(withChats)
            }}
          >
            {t('folders.delete')}
          </Button>
        </>
      }
    >
      <RadioList
        legend={t('folders.chatsInside')}
        options={choices}
        value={withChats ? 'delete' : 'keep'}
        onChange={(value) => setWithChats(value === 'delete')}
      />
    </Dialog>
  )
}

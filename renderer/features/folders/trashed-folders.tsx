import { Folder, RotateCcw, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { TrashedFolder } from '#contract/folders.ts'
import { Button } from '../../ui/controls/button.tsx'
import { KeptUntil } from '../../ui/marks/kept-until.tsx'

interface TrashedFoldersProps {
  readonly folders: readonly TrashedFolder[]
  readonly onRestore: (folder: TrashedFolder) => void
  readonly onErase: (folder: TrashedFolder) => void
}

/** Deleted folders, each with the contents that are restored with it. */
export function TrashedFolders({ folders, onRestore, onErase }: TrashedFoldersProps) {
  const { t } = useTranslation()
  const titleId = useId()
  return (
    <section aria-labelledby={titleId}>
      <h2 id={titleId} className="mb-2 font-medium">
        {t('folders.trashed')}
      </h2>
      <ul className="divide-y divide-line rounded-large border border-line bg-raised">
        {folders.map((folder) => (
          <li key={folder.id} className="flex flex-wrap items-center gap-x-2.5 px-3 py-1.5">
            <Folder aria-hidden="true" className="size-4 shrink-0 text-muted" />
            <span className="min-w-0 flex-1 basis-36">
              <bdi className="block truncate font-medium text-muted">{folder.name}</bdi>
              <span className="block text-small text-muted">
                <KeptUntil deletedAt={folder.deleted_at} />
                {[
                  '',
                  folder.chat_count > 0 && t('folders.withChats', { count: folder.chat_count }),
                  folder.folder_count > 0 &&
                    t('folders.withFolders', { count: folder.folder_count }),
                ]
                  .filter((text) => text !== false)
                  .join(' · ')}
              </span>
            </span>
            <span className="ms-auto flex shrink-0 items-center gap-1">
              <Button
                tone="quiet"
                aria-label={t('chats.actOn', {
                  action: t('chats.trashRestore'),
                  title: folder.name,
                })}
                title={t('chats.trashRestore')}
                onClick={() => onRestore(folder)}
                className="px-2!"
              >
                <RotateCcw className="size-4" />
                {t('chats.trashRestore')}
              </Button>
              <Button
                tone="quiet"
                aria-label={t('chats.actOn', { action: t('chats.erase'), title: folder.name })}
                title={t('chats.erase')}
                onClick={() => onErase(folder)}
                className="px-2! hover:text-danger"
              >
                <Trash2 className="size-4" />
                {t('chats.erase')}
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

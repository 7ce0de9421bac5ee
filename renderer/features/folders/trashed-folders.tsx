import { Folder, RotateCcw, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { TrashedFolder } from '#contract/folders.ts'
import { Button } from '../../ui/controls/button.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
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
            <span className="min-w-0 flex-1 basis-28">
              <bdi className="line-clamp-2 font-medium wrap-anywhere">{folder.name}</bdi>
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
                icon={<RotateCcw className="size-4" />}
                aria-label={t('chats.actOn', {
                  action: t('chats.trashRestore'),
                  title: folder.name,
                })}
                onClick={() => onRestore(folder)}
                className="max-sm:w-11 max-sm:px-0"
              >
                <span className="max-sm:hidden">{t('chats.trashRestore')}</span>
              </Button>
              <IconButton
                label={t('chats.actOn', { action: t('chats.erase'), title: folder.name })}
                hint={t('chats.erase')}
                icon={<Trash2 />}
                onClick={() => onErase(folder)}
                className="hover:text-danger"
              />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

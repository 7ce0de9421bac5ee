import { Command } from 'cmdk'
import { Check, Folder, FolderPlus, Inbox } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { toSentence } from '../../api/api-error.ts'
import { rankText } from '../../lib/rank-text.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { createFolder } from './change-folder.ts'
import { type FoldersStore, toLines, withDescendants } from './folders-store.ts'

interface MoveDialogProps {
  readonly store: FoldersStore
  /** Description of the moved items. */
  readonly description: string
  /** Id of the current folder; undefined if there are several. */
  readonly currentId: string | null | undefined
  /** Id of the folder being moved, which cannot be moved into itself. */
  readonly movedFolderId?: string
  readonly onMove: (folderId: string | null) => void
  readonly onClose: () => void
}

interface PlaceProps {
  readonly value: string
  readonly keywords: string[]
  readonly icon: ReactNode
  readonly depth?: number
  readonly isCurrent?: boolean
  readonly alwaysShown?: boolean
  readonly onSelect: () => void
  readonly children: ReactNode
}

function Place({
  value,
  keywords,
  icon,
  depth = 0,
  isCurrent = false,
  alwaysShown,
  onSelect,
  children,
}: PlaceProps) {
  const { t } = useTranslation()
  return (
    <Command.Item
      value={value}
      keywords={keywords}
      forceMount={alwaysShown}
      disabled={isCurrent}
      onSelect={onSelect}
      style={{ paddingInlineStart: `${0.625 + depth * 1.125}rem` }}
      className="flex min-h-9 items-center gap-2.5 rounded-small pe-2.5 data-[disabled=true]:text-muted data-[selected=true]:bg-hover pointer-coarse:min-h-11 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted"
    >
      {icon}
      <bdi className="min-w-0 flex-1 truncate">{children}</bdi>
      {isCurrent && (
        <>
          <Check />
          <span className="sr-only">{t('folders.current')}</span>
        </>
      )}
    </Command.Item>
  )
}

const rankPlace = (_value: string, query: string, texts: string[] = []): number =>
  Math.max(0, ...texts.map((text) => rankText(text, query)))

/** Asks for a folder by name, or for a new one. */
export function MoveDialog({
  store,
  description,
  currentId,
  movedFolderId,
  onMove,
  onClose,
}: MoveDialogProps) {
  const { t } = useTranslation()
  const folders = useStore(store, (state) => state.folders)
  const [query, setQuery] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const closed = new Set(
    movedFolderId === undefined ? [] : withDescendants(folders, movedFolderId).map(({ id }) => id),
  )
  const lines = toLines(folders).filter(({ folder }) => !closed.has(folder.id))
  const name = query.trim()
  const move = (folderId: string | null): void => {
    onClose()
    onMove(folderId)
  }
  const moveIntoNew = (): void => {
    createFolder(store, name, null).then(
      (folder) => move(folder.id),
      (thrown: unknown) => setProblem(toSentence(thrown)),
    )
  }
  return (
    <Dialog
      onClose={onClose}
      title={t('folders.moveTitle')}
      description={<bdi className="block truncate">{description}</bdi>}
    >
      <FormProblem text={problem} />
      <Command
        loop
        filter={rankPlace}
        label={t('folders.moveTitle')}
        className="-mx-3 flex flex-col gap-2"
      >
        <div className="px-3">
          <Command.Input
            value={query}
            onValueChange={setQuery}
            maxLength={200}
            placeholder={t('folders.findOrName')}
            className="h-primary w-full rounded-medium border border-edge bg-raised px-3 text-ui focus-visible:border-accent focus-visible:outline-2 focus-visible:-outline-offset-1 pointer-coarse:min-h-11"
          />
        </div>
        <Command.List
          label={t('folders.title')}
          className="max-h-[min(20rem,45dvh)] overflow-y-auto px-1.5"
        >
          <Place
            value="none"
            keywords={[t('folders.none')]}
            icon={<Inbox />}
            isCurrent={currentId === null}
            onSelect={() => move(null)}
          >
            {movedFolderId === undefined ? t('folders.none') : t('folders.top')}
          </Place>
          {lines.map(({ folder, depth, path }) => (
            <Place
              key={folder.id}
              value={`folder ${folder.id}`}
              keywords={[folder.name, path.join(' ')]}
              icon={<Folder />}
              depth={name ? 0 : depth}
              isCurrent={folder.id === currentId}
              onSelect={() => move(folder.id)}
            >
              {name ? path.join(' / ') : folder.name}
            </Place>
          ))}
          {name &&
            !lines.some(({ folder }) => folder.name.toLowerCase() === name.toLowerCase()) && (
              <Place
                alwaysShown
                value="new"
                keywords={[name]}
                icon={<FolderPlus />}
                onSelect={moveIntoNew}
              >
                {t('folders.newNamed', { name })}
              </Place>
            )}
        </Command.List>
      </Command>
    </Dialog>
  )
}

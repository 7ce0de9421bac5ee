import { ChevronRight, FileStack, FolderOpen, Search } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { KnowledgeDirectory, KnowledgeFile, KnowledgeRecord } from '#contract/knowledge.ts'
import type { FoundFile } from '../../lib/found-files.ts'
import { Button } from '../../ui/controls/button.tsx'
import { DropZone } from '../../ui/fields/drop-zone.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { EmptyList } from '../../ui/lists/empty-list.tsx'
import { SearchBox } from '../../ui/fields/search-box.tsx'
import { toast, toastError } from '../../ui/floating/toast.tsx'
import { AddMenu } from './add-menu.tsx'
import type { CollectionPageProps } from './collection-page-props.ts'
import {
  type CollectionStore,
  directoriesOf,
  filesOf,
  pathTo,
  putBack,
  readAgain,
  showDirectory,
  takeOut,
} from './collection-store.ts'
import { childrenOf, countFiles, inNameOrder } from './directory-tree.ts'
import { DirectoryLine, FileLine } from './file-line.tsx'
import { FilesDialogs, type FilesDialog } from './files-dialogs.tsx'
import { UploadsPanel } from './uploads-panel.tsx'

const PAGE = 200

function Path({ store, path }: { store: CollectionStore; path: readonly KnowledgeDirectory[] }) {
  const { t } = useTranslation()
  const name = useStore(store, (state) => state.collection?.name ?? '')
  if (path.length === 0) return null
  const steps = [{ id: null, name }, ...path]
  return (
    <nav aria-label={t('knowledge.path')}>
      <ol className="flex flex-wrap items-center gap-1 text-small">
        {steps.map((step, index) => (
          <li key={step.id ?? ''} className="flex min-w-0 items-center gap-1">
            {index > 0 && (
              <ChevronRight className="size-3.5 shrink-0 text-faint rtl:-scale-x-100" />
            )}
            <button
              type="button"
              aria-current={index === steps.length - 1 ? 'location' : undefined}
              onClick={() => showDirectory(store, step.id)}
              className="min-h-6 max-w-60 truncate rounded-small px-1 text-muted hover:bg-hover hover:text-ink aria-[current]:font-medium aria-[current]:text-ink pointer-coarse:min-h-11"
            >
              <bdi>{step.name}</bdi>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

interface ListProps extends CollectionPageProps {
  readonly collection: KnowledgeRecord
  readonly query: string
  readonly onDialog: (dialog: FilesDialog) => void
}

/**
 * Returns the displayed entries: the contents of the open directory or, during a search, all
 * matches below it.
 */
function useShown({ session, query }: Pick<ListProps, 'session' | 'query'>) {
  const { store } = session
  const directoryId = useStore(store, (state) => state.directoryId)
  const files = useStore(store, filesOf)
  const directories = useStore(store, directoriesOf)
  return useMemo(() => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean)
    const fits = (name: string): boolean => words.every((word) => name.toLowerCase().includes(word))
    if (words.length === 0) {
      return {
        directories: childrenOf(directories, directoryId),
        files: inNameOrder(files.filter((file) => file.directory_id === directoryId)),
      }
    }
    return { directories: [], files: inNameOrder(files.filter(({ filename }) => fits(filename))) }
  }, [files, directories, directoryId, query])
}

async function takeOutWithUndo(
  store: CollectionStore,
  file: KnowledgeFile,
  text: string,
  undo: string,
): Promise<void> {
  try {
    await takeOut(store, file.id)
    toast({
      text,
      action: { label: undo, onSelect: () => void putBack(store, file).catch(toastError) },
    })
  } catch (thrown) {
    toastError(thrown)
  }
}

function List(props: ListProps) {
  const { session, admin, userId, collection, query, onDialog, onOpenDocument } = props
  const { t } = useTranslation()
  const { store } = session
  const shown = useShown(props)
  const all = useStore(store, directoriesOf)
  const counts = useMemo(() => countFiles(all, collection.files ?? []), [all, collection.files])
  const heard = useStore(store, (state) => state.heard)
  const [most, setMost] = useState(PAGE)
  const mayChange = collection.write_access
  if (shown.directories.length === 0 && shown.files.length === 0) {
    return (
      <EmptyState
        icon={query ? <Search /> : <FolderOpen />}
        title={t(query ? 'knowledge.noFile' : 'knowledge.emptyDirectory')}
      />
    )
  }
  const placeOf = (file: KnowledgeFile): string | null =>
    query && file.directory_id !== null
      ? pathTo(all, file.directory_id)
          .map(({ name }) => name)
          .join(' / ')
      : null
  const left = shown.files.length - most
  return (
    <>
      <ul
        aria-label={t('knowledge.fileList')}
        className="divide-y divide-line overflow-hidden rounded-large border border-line bg-raised"
      >
        {shown.directories.map((directory) => (
          <DirectoryLine
            key={directory.id}
            directory={directory}
            count={counts.get(directory.id) ?? 0}
            mayChange={mayChange}
            onOpen={() => showDirectory(store, directory.id)}
            onRename={() => onDialog({ kind: 'rename', directory })}
            onMove={() => onDialog({ kind: 'move', directory })}
            onRemove={() => onDialog({ kind: 'remove', directory })}
          />
        ))}
        {shown.files.slice(0, most).map((file) => (
          <FileLine
            key={file.id}
            file={file}
            place={placeOf(file)}
            progress={heard[file.id]?.progress ?? null}
            mayChange={mayChange}
            mayReadAgain={admin || file.user_id === userId}
            onOpen={() => onOpenDocument({ fileId: file.id, name: file.filename })}
            onMove={() => onDialog({ kind: 'move', file })}
            onReadAgain={() => void readAgain(store, file.id).catch(toastError)}
            onTakeOut={() =>
              void takeOutWithUndo(
                store,
                file,
                t('knowledge.takenOut', { name: file.filename }),
                t('common.undo'),
              )
            }
          />
        ))}
      </ul>
      {left > 0 && (
        <Button className="self-center" onClick={() => setMost(most + PAGE)}>
          {t('knowledge.moreFiles', { count: Math.min(left, PAGE) })}
        </Button>
      )}
    </>
  )
}

/** The files of a collection, and all actions that add more. */
export function FilesTab(props: CollectionPageProps & { readonly collection: KnowledgeRecord }) {
  const { session, mayUpload, mayFetch, collection } = props
  const { store, into } = session
  const { t } = useTranslation()
  const directoryId = useStore(store, (state) => state.directoryId)
  const directories = useStore(store, directoriesOf)
  const [query, setQuery] = useState('')
  const [dialog, setDialog] = useState<FilesDialog | null>(null)
  const mayChange = collection.write_access
  const isAdding = useStore(into.uploads.store, ({ uploads }) => uploads.length > 0)
  const isEmpty = (collection.files?.length ?? 0) === 0 && directories.length === 0
  const addFiles = (files: readonly FoundFile[]): void =>
    void into.add(files, directoryId).catch(toastError)
  const menu = mayChange && (
    <AddMenu
      mayUpload={mayUpload}
      mayFetch={mayFetch}
      onFiles={addFiles}
      onAdd={(kind) => setDialog({ kind })}
    />
  )
  return (
    <DropZone
      label={t('knowledge.drop')}
      onFiles={(files) => mayChange && mayUpload && addFiles(files)}
      onProblem={toastError}
      className="flex flex-col gap-4"
    >
      {isEmpty && isAdding && <div className="flex justify-end">{menu}</div>}
      {!isEmpty && (
        <div className="flex items-center gap-2">
          <SearchBox label={t('knowledge.searchFiles')} value={query} onChange={setQuery} />
          {menu}
        </div>
      )}
      <Path store={store} path={pathTo(directories, directoryId)} />
      <UploadsPanel into={into} />
      {isEmpty ? (
        !isAdding && (
          <EmptyList icon={<FileStack />} title={t('knowledge.empty')} action={menu}>
            {mayChange ? t('knowledge.emptyHint') : t('knowledge.emptyRead')}
          </EmptyList>
        )
      ) : (
        <List {...props} query={query.trim()} onDialog={setDialog} />
      )}
      {dialog && (
        <FilesDialogs
          session={session}
          userId={props.userId}
          dialog={dialog}
          onClose={() => setDialog(null)}
        />
      )}
    </DropZone>
  )
}

import { FolderOpen, Plus, Search, Trash2 } from 'lucide-react'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { File as StoredFile } from '#contract/files.ts'
import { toSentence } from '../../api/api-error.ts'
import type { FileUploads } from '../../api/file-uploads.ts'
import { eachLimited } from '../../lib/each-limited.ts'
import { formatBytes } from '../../lib/format-size.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { DeletionsNote } from '../../ui/deletions-note.tsx'
import { DropZone } from '../../ui/drop-zone.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { Select } from '../../ui/select.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toast.tsx'
import { FileRow } from './file-row.tsx'
import {
  type FilesFilter,
  type FilesStore,
  loadFiles,
  loadMoreFiles,
  NO_FILTER,
  readAgain,
  removeFile,
  renameFile,
} from './files-store.ts'
import { RemoveDialog } from './remove-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { UploadList } from './upload-list.tsx'
import { UsesDialog } from './uses-dialog.tsx'

interface FilesPageProps {
  readonly store: FilesStore
  readonly uploads: FileUploads
  readonly userId: string
  readonly mayUpload: boolean
  readonly onOpen: (file: StoredFile) => void
}

const WAIT = 180
const DELETIONS = ['files', 'file'] as const
const STATUSES = ['completed', 'pending', 'failed'] as const
const KINDS = ['image', 'pdf', 'document', 'table', 'text', 'other'] as const
const ORDERS = ['created_at', 'filename', 'size'] as const

const tell = (thrown: unknown): void => toast({ tone: 'danger', text: toSentence(thrown) })

function AddButton({
  onFiles,
  label,
}: {
  onFiles: (files: readonly File[]) => void
  label: string
}) {
  const input = useRef<HTMLInputElement>(null)
  const read = (event: ChangeEvent<HTMLInputElement>): void => {
    onFiles([...(event.target.files ?? [])])
    event.target.value = ''
  }
  return (
    <>
      <input ref={input} type="file" multiple hidden onChange={read} data-testid="add-files" />
      <Button
        tone="primary"
        className="h-control!"
        icon={<Plus className="size-4" />}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
    </>
  )
}

function Filters({
  filter,
  onChange,
}: {
  filter: FilesFilter
  onChange: (change: Partial<FilesFilter>) => void
}) {
  const { t } = useTranslation()
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
      <Select
        label={t('files.filterKind')}
        value={filter.kind}
        options={[
          { value: '', label: t('files.anyKind') },
          ...KINDS.map((value) => ({ value, label: t(`files.kind.${value}`) })),
        ]}
        onChange={(event) => onChange({ kind: event.target.value as FilesFilter['kind'] })}
      />
      <Select
        label={t('files.filterStatus')}
        value={filter.status}
        options={[
          { value: '', label: t('files.anyStatus') },
          ...STATUSES.map((value) => ({ value, label: t(`files.status.${value}`) })),
        ]}
        onChange={(event) => onChange({ status: event.target.value as FilesFilter['status'] })}
      />
      <Select
        label={t('files.order')}
        value={filter.order}
        options={ORDERS.map((value) => ({ value, label: t(`files.orders.${value}`) }))}
        onChange={(event) => onChange({ order: event.target.value as FilesFilter['order'] })}
      />
    </div>
  )
}

interface ListProps extends FilesPageProps {
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (ids: readonly string[], chosen: boolean) => void
  readonly onRemove: (ids: readonly string[]) => void
  readonly onRename: (file: StoredFile) => void
  readonly onUses: (file: StoredFile) => void
}

function SelectionBar({
  store,
  chosen,
  onChoose,
  onRemove,
}: Pick<ListProps, 'store' | 'chosen' | 'onChoose' | 'onRemove'>) {
  const { t } = useTranslation()
  const files = useStore(store, (state) => state.files)
  const isAll = files.length > 0 && chosen.size === files.length
  return (
    <div className="flex h-11 items-center gap-2 border-b border-line ps-3 pe-2">
      <Checkbox
        label={t('files.chooseAll')}
        checked={isAll}
        mixed={chosen.size > 0}
        onChange={(value) =>
          onChoose(
            files.map(({ id }) => id),
            value,
          )
        }
      />
      <span aria-live="polite" className="min-w-0 flex-1 text-small text-muted">
        {chosen.size > 0 ? t('files.chosen', { count: chosen.size }) : t('files.chooseAll')}
      </span>
      {chosen.size > 0 && (
        <Button icon={<Trash2 className="size-4" />} onClick={() => onRemove([...chosen])}>
          {t('common.delete')}
        </Button>
      )}
    </div>
  )
}

function List(props: ListProps) {
  const { store, userId, chosen, onChoose, onRemove, onRename, onUses, onOpen } = props
  const { t } = useTranslation()
  const { files, total, heard } = useStore(store)
  if (files.length === 0)
    return (
      <EmptyState icon={<Search />} title={t('files.noMatch')}>
        {t('files.searchHint')}
      </EmptyState>
    )
  return (
    <>
      <div className="rounded-large border border-line bg-raised">
        <SelectionBar {...props} />
        <ul aria-label={t('files.title')} className="divide-y divide-line">
          {files.map((file) => (
            <FileRow
              key={file.id}
              file={file}
              progress={heard[file.id]?.progress ?? null}
              isChosen={chosen.has(file.id)}
              onChoose={(value) => onChoose([file.id], value)}
              onOpen={() => onOpen(file)}
              onRename={() => onRename(file)}
              onUses={() => onUses(file)}
              onReadAgain={() => void readAgain(store, file.id).catch(tell)}
              onRemove={() => onRemove([file.id])}
            />
          ))}
        </ul>
      </div>
      {files.length < total && (
        <Button className="self-center" onClick={() => void loadMoreFiles(store, userId)}>
          {t('files.more')}
        </Button>
      )}
    </>
  )
}

function Usage({ store }: { store: FilesStore }) {
  const { t } = useTranslation()
  const usage = useStore(store, (state) => state.usage)
  if (!usage || usage.count === 0) return null
  const { count, bytes, quota_bytes: quota } = usage
  const size = formatBytes(bytes)
  return (
    <p className="text-small text-muted">
      {quota === null
        ? t('files.usage', { count, size })
        : t('files.usageOf', { count, size, quota: formatBytes(quota) })}
    </p>
  )
}

function useChoice(): [ReadonlySet<string>, (ids: readonly string[], chosen: boolean) => void] {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const choose = (ids: readonly string[], isChosen: boolean): void =>
    setChosen((before) => {
      const next = new Set(before)
      for (const id of ids) {
        if (isChosen) next.add(id)
        else next.delete(id)
      }
      return next
    })
  return [chosen, choose]
}

/** Everything a person uploaded, in chats, collections or here. */
export function FilesPage(props: FilesPageProps) {
  const { store, uploads, userId, mayUpload } = props
  const { t } = useTranslation()
  const { files, status, problem, filter } = useStore(store)
  const [wanted, setWanted] = useState<FilesFilter>(NO_FILTER)
  const [chosen, choose] = useChoice()
  const [removals, setRemovals] = useState(0)
  const [removing, setRemoving] = useState<readonly string[] | null>(null)
  const [renamed, setRenamed] = useState<StoredFile | null>(null)
  const [asked, setAsked] = useState<StoredFile | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => void loadFiles(store, userId, wanted), wanted.query ? WAIT : 0)
    return () => clearTimeout(timer)
  }, [store, userId, wanted])
  const remove = async (ids: readonly string[]): Promise<void> => {
    setRemoving(null)
    const failures = await eachLimited(ids, (id) => removeFile(store, id))
    setRemovals((count) => count + 1)
    choose(ids, false)
    if (failures[0]) tell(failures[0].thrown)
    else toast({ text: t('files.removed', { count: ids.length }) })
  }
  const isEmpty =
    status === 'ready' &&
    files.length === 0 &&
    filter.query === '' &&
    filter.kind === '' &&
    filter.status === ''
  const addFiles = (added: readonly File[]): void => void uploads.add(added)
  return (
    <DropZone
      label={t('files.drop')}
      onFiles={(found) => mayUpload && addFiles(found.map(({ file }) => file))}
      onProblem={tell}
      className="flex flex-col gap-4"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="max-w-prose min-w-0 flex-1 basis-64">
          <p className="text-pretty text-muted">{t('files.text')}</p>
          <Usage store={store} />
        </div>
        {mayUpload && !isEmpty && <AddButton label={t('files.add')} onFiles={addFiles} />}
      </div>
      <UploadList uploads={uploads} />
      {!isEmpty && (
        <>
          <SearchBox
            label={t('files.search')}
            value={wanted.query}
            onChange={(query) => setWanted({ ...wanted, query })}
          />
          <Filters filter={wanted} onChange={(change) => setWanted({ ...wanted, ...change })} />
        </>
      )}
      {status === 'loading' && <Spinner className="mx-auto my-8" />}
      {status === 'failed' && (
        <EmptyState
          title={t('files.loadFailed')}
          action={
            <Button onClick={() => void loadFiles(store, userId, wanted)}>
              {t('common.retry')}
            </Button>
          }
        >
          {problem}
        </EmptyState>
      )}
      {isEmpty && (
        <div className="rounded-large border border-line">
          <EmptyState
            icon={<FolderOpen />}
            title={t('files.none')}
            action={mayUpload && <AddButton label={t('files.addFirst')} onFiles={addFiles} />}
          >
            {t('files.noneHint')}
          </EmptyState>
        </div>
      )}
      {status === 'ready' && !isEmpty && (
        <List
          {...props}
          chosen={chosen}
          onChoose={choose}
          onRemove={setRemoving}
          onRename={setRenamed}
          onUses={setAsked}
        />
      )}
      <DeletionsNote turn={removals} kinds={DELETIONS} />
      {removing && (
        <RemoveDialog
          files={files.filter(({ id }) => removing.includes(id))}
          onConfirm={() => void remove(removing)}
          onClose={() => setRemoving(null)}
        />
      )}
      {asked && <UsesDialog file={asked} onClose={() => setAsked(null)} />}
      {renamed && (
        <RenameDialog
          file={renamed}
          onRename={(filename) => renameFile(store, renamed.id, filename)}
          onClose={() => setRenamed(null)}
        />
      )}
    </DropZone>
  )
}

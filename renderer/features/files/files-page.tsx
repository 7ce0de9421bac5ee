import '../../lib/strings/files.ts'
import { Trash2 } from 'lucide-react'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { File as StoredFile } from '#contract/files.ts'
import type { FileUploads } from '../../api/file-uploads.ts'
import { eachLimited } from '../../lib/each-limited.ts'
import { formatBytes } from '../../lib/format-size.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Checkbox } from '../../ui/controls/checkbox.tsx'
import { DeletionsNote } from '../../ui/dialogs/deletions-note.tsx'
import { DropZone } from '../../ui/fields/drop-zone.tsx'
import { fieldsOf } from '../../ui/fields/fields-of.ts'
import { FilesPicture } from '../../ui/lists/empty-pictures.tsx'
import { ListPage } from '../../ui/lists/list-page.tsx'
import { Rows } from '../../ui/lists/list-row.tsx'
import { SelectBox } from '../../ui/controls/select.tsx'
import { toast, toastError } from '../../ui/floating/toast.tsx'
import { FileRow } from './file-row.tsx'
import {
  type FilesFilter,
  type FilesStore,
  loadFiles,
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

/** Returns a button that adds files, and its hidden input. */
function useFileAdding(onFiles: (files: readonly File[]) => void) {
  const input = useRef<HTMLInputElement>(null)
  const read = (event: ChangeEvent<HTMLInputElement>): void => {
    onFiles([...(event.target.files ?? [])])
    event.target.value = ''
  }
  return {
    field: (
      <input ref={input} type="file" multiple hidden onChange={read} data-testid="add-files" />
    ),
    open: () => input.current?.click(),
  }
}

function Filters({
  filter,
  onChange,
}: {
  filter: FilesFilter
  onChange: (change: Partial<FilesFilter>) => void
}) {
  const { t } = useTranslation()
  const field = fieldsOf(filter, onChange)
  return (
    <>
      <SelectBox
        isNarrow
        aria-label={t('files.filterKind')}
        {...field('kind')}
        options={[
          { value: '', label: t('files.anyKind') },
          ...KINDS.map((value) => ({ value, label: t(`files.kind.${value}`) })),
        ]}
      />
      <SelectBox
        isNarrow
        aria-label={t('files.filterStatus')}
        {...field('status')}
        options={[
          { value: '', label: t('files.anyStatus') },
          ...STATUSES.map((value) => ({ value, label: t(`files.status.${value}`) })),
        ]}
      />
      <SelectBox
        isNarrow
        aria-label={t('files.order')}
        {...field('order')}
        options={ORDERS.map((value) => ({ value, label: t(`files.orders.${value}`) }))}
      />
    </>
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
  const files = useStore(store, (state) => state.items)
  const isAll = files.length > 0 && chosen.size === files.length
  return (
    <div className="flex min-h-control items-center gap-2 ps-3 pe-1 sm:ps-4">
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
  const { store, chosen, onChoose, onRemove, onRename, onUses, onOpen } = props
  const { t } = useTranslation()
  const { items, total, heard } = useStore(store)
  return (
    <>
      <div className="flex flex-col gap-2">
        <SelectionBar {...props} />
        <Rows label={t('files.title')}>
          {items.map((file) => (
            <FileRow
              key={file.id}
              file={file}
              progress={heard[file.id]?.progress ?? null}
              isChosen={chosen.has(file.id)}
              onChoose={(value) => onChoose([file.id], value)}
              onOpen={() => onOpen(file)}
              onRename={() => onRename(file)}
              onUses={() => onUses(file)}
              onReadAgain={() => void readAgain(store, file.id).catch(toastError)}
              onRemove={() => onRemove([file.id])}
            />
          ))}
        </Rows>
      </div>
      {items.length < total && (
        <Button className="self-center" onClick={() => void store.loadMore()}>
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
    <span className="mt-0.5 block text-small">
      {quota === null
        ? t('files.usage', { count, size })
        : t('files.usageOf', { count, size, quota: formatBytes(quota) })}
    </span>
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

/** All files the user uploaded, in chats, collections or here. */
export function FilesPage(props: FilesPageProps) {
  const { store, uploads, userId, mayUpload } = props
  const { t } = useTranslation()
  const { items, total, status, problem, filter } = useStore(store)
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
    if (failures[0]) toastError(failures[0].thrown)
    else toast({ text: t('files.removed', { count: ids.length }) })
  }
  const isNarrowed = filter.query !== '' || filter.kind !== '' || filter.status !== ''
  const addFiles = (added: readonly File[]): void => void uploads.add(added)
  const adding = useFileAdding(addFiles)
  return (
    <DropZone
      label={t('files.drop')}
      onFiles={(found) => mayUpload && addFiles(found.map(({ file }) => file))}
      onProblem={toastError}
      className="flex flex-col gap-4"
    >
      {mayUpload && adding.field}
      <ListPage
        text={
          <>
            {t('files.text')}
            <Usage store={store} />
          </>
        }
        load={{
          status,
          problem,
          failedTitle: t('files.loadFailed'),
          onRetry: () => void loadFiles(store, userId, wanted),
        }}
        total={total}
        shown={items.length}
        isNarrowed={isNarrowed}
        primary={mayUpload ? { label: t('files.add'), onSelect: adding.open } : null}
        search={{
          label: t('files.search'),
          value: wanted.query,
          onChange: (query) => setWanted({ ...wanted, query }),
        }}
        choices={
          <Filters filter={wanted} onChange={(change) => setWanted({ ...wanted, ...change })} />
        }
        empty={{ picture: <FilesPicture />, title: t('files.none'), text: t('files.noneHint') }}
        noMatch={t('files.noMatch')}
        noMatchHint={t('files.searchHint')}
        note={<UploadList uploads={uploads} />}
      >
        <List
          {...props}
          chosen={chosen}
          onChoose={choose}
          onRemove={setRemoving}
          onRename={setRenamed}
          onUses={setAsked}
        />
      </ListPage>
      <DeletionsNote turn={removals} kinds={DELETIONS} />
      {removing && (
        <RemoveDialog
          files={items.filter(({ id }) => removing.includes(id))}
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

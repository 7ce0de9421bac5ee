import { BookOpenText, RotateCw, TextSearch, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Upload } from '../../api/file-uploads.ts'
import { classNames } from '../../lib/class-names.ts'
import { explainFault } from '../../lib/explain-fault.ts'
import { formatShare } from '../../lib/format-list.ts'
import { formatBytes } from '../../lib/format-size.ts'
import { IconButton } from '../controls/icon-button.tsx'
import { showDocument } from '../document-viewer/shown-document.ts'
import { announce } from '../layout/live-region.tsx'
import { ProgressBar } from '../marks/progress-bar.tsx'
import { type AttachedEntry, canBeWhole } from './attached-entry.ts'
import { AttachmentIcon } from './attachment-icon.tsx'
import { toNeighbour } from './chip-focus.ts'
import { type Attachments, failureOf, isBeingRead } from './attachments-store.ts'
import { withBase } from '../../lib/base-path.ts'

interface ChipProps {
  readonly icon: ReactNode
  readonly name: string
  readonly detail: ReactNode
  readonly isFailed?: boolean
  /** Progress shown beside the details; a null value means indeterminate. */
  readonly progress?: { readonly label: string; readonly value: number | null }
  readonly children?: ReactNode
  /** Label of the remove button; Delete and Backspace on the chip do the same. */
  readonly removal: string
  /** Opens the attachment; absent if it cannot be shown. */
  readonly onOpen?: (() => void) | null
  readonly onRemove: () => void
}

const REMOVING = new Set(['Delete', 'Backspace'])

function Chip({
  icon,
  name,
  detail,
  isFailed = false,
  progress,
  children,
  removal,
  onOpen,
  onRemove,
}: ChipProps) {
  const { t } = useTranslation()
  const row = useRef<HTMLLIElement>(null)
  const remove = (): void => {
    const list = row.current?.parentElement ?? null
    const isFocused = row.current?.contains(document.activeElement) === true
    const index = list ? [...list.children].indexOf(row.current!) : -1
    if (isFocused && !toNeighbour(list, index))
      document.querySelector<HTMLElement>('#composer')?.focus()
    onRemove()
    announce(t('chat.attachments.removed', { name }))
  }
  const handleKey = (event: KeyboardEvent): void => {
    if (!REMOVING.has(event.key)) return
    event.preventDefault()
    remove()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys belong to every button of the chip
    <li
      ref={row}
      onKeyDown={handleKey}
      className={classNames(
        'flex max-w-96 min-w-0 items-center gap-2 rounded-medium border py-1.5 ps-2.5 pe-1 max-sm:w-full',
        isFailed ? 'border-danger bg-danger-soft' : 'border-line bg-sunken',
      )}
    >
      <span className="shrink-0 text-muted [&_img]:size-9 [&_img]:rounded-small [&_img]:object-cover [&_svg]:size-4">
        {icon}
      </span>
      <span className="min-w-0 flex-1">
        {onOpen ? (
          <button
            type="button"
            onClick={onOpen}
            aria-label={t('chat.attachments.open', { name })}
            className="block max-w-full truncate rounded-small text-start text-small font-medium hover:underline"
          >
            <bdi>{name}</bdi>
          </button>
        ) : (
          <bdi className="block truncate text-small font-medium">{name}</bdi>
        )}
        {progress === undefined ? (
          <span
            dir={isFailed ? 'auto' : undefined}
            className={classNames(
              'line-clamp-2 block text-tiny',
              isFailed ? 'text-danger' : 'text-muted',
            )}
          >
            {detail}
          </span>
        ) : (
          // As high as the line of details that replaces it.
          <span className="flex items-center gap-2 text-tiny text-muted tabular-nums">
            <span className="block w-24 min-w-8">
              <ProgressBar {...progress} />
            </span>
            <span className="shrink-0">{detail}</span>
          </span>
        )}
      </span>
      {children}
      <IconButton
        size="small"
        label={removal}
        icon={<X />}
        {...(isFailed && { words: <span className="text-small">{t('common.remove')}</span> })}
        data-chip-remove=""
        onClick={remove}
      />
    </li>
  )
}

function UploadChip({ upload, attachments }: { upload: Upload; attachments: Attachments }) {
  const { t } = useTranslation()
  const { key, name, size, state, sent, problem } = upload
  const isFailed = state === 'failed'
  const doing =
    state === 'sending'
      ? `${formatShare(sent)} · ${formatBytes(size)}`
      : state === 'reading'
        ? t('chat.attachments.reading')
        : formatBytes(size)
  return (
    <Chip
      icon={<AttachmentIcon type={upload.type.startsWith('image/') ? 'image' : 'file'} />}
      name={name}
      detail={isFailed ? problem : doing}
      isFailed={isFailed}
      progress={
        isFailed
          ? undefined
          : {
              label: t('chat.attachments.uploading', { name, size: formatBytes(size) }),
              value: state === 'sending' ? sent : null,
            }
      }
      removal={t(isFailed ? 'chat.attachments.remove' : 'chat.attachments.cancel', { name })}
      onRemove={() =>
        isFailed ? attachments.uploads.forget(key) : attachments.uploads.cancel(key)
      }
    >
      {isFailed && (
        <IconButton
          size="small"
          label={t('chat.attachments.retry', { name })}
          icon={<RotateCw />}
          onClick={() => attachments.uploads.retry(key)}
        />
      )}
    </Chip>
  )
}

/** Details of an attachment that is ready. */
function EntryDetail({
  entry,
  isRead,
  isPlain,
}: {
  entry: AttachedEntry
  isRead: boolean
  isPlain: boolean
}) {
  const { t } = useTranslation()
  if (isRead) return t('chat.attachments.reading')
  const size = entry.size === undefined ? null : formatBytes(entry.size)
  if (isPlain) return size
  if (entry.context === 'full')
    return [size, t('chat.attachments.whole')].filter(Boolean).join(' · ')
  if (entry.type === 'file')
    return [size, t('chat.attachments.searched')].filter(Boolean).join(' · ')
  return size ?? t(`chat.attachments.kind.${entry.type}`)
}

const openerOf = ({ type, id, name }: AttachedEntry): (() => void) | null =>
  type === 'file' || type === 'image'
    ? () => showDocument({ kind: 'file', id, name, place: null })
    : null

function EntryChip({
  entry,
  attachments,
  isPlain,
}: {
  entry: AttachedEntry
  attachments: Attachments
  isPlain: boolean
}) {
  const { t } = useTranslation()
  const failure = useStore(attachments.store, (state) => failureOf(state, entry))
  const isRead = useStore(attachments.store, (state) => isBeingRead(state, entry))
  const { id, name, type, url } = entry
  const isWhole = entry.context === 'full'
  const icon =
    type === 'image' && url?.startsWith('/api/v1/files/') ? (
      <img src={withBase(url)} alt="" />
    ) : (
      <AttachmentIcon type={type} />
    )
  return (
    <Chip
      icon={icon}
      name={name}
      detail={
        failure === null ? (
          <EntryDetail entry={entry} isRead={isRead} isPlain={isPlain} />
        ) : (
          explainFault({ detail: failure })
        )
      }
      isFailed={failure !== null}
      onOpen={openerOf(entry)}
      removal={t('chat.attachments.remove', { name })}
      onRemove={() => attachments.remove(id)}
    >
      {failure !== null && (
        <IconButton
          size="small"
          label={t('chat.attachments.retry', { name })}
          icon={<RotateCw />}
          onClick={() => void attachments.readAgain(id)}
        />
      )}
      {!isPlain && canBeWhole(entry) && failure === null && (
        <IconButton
          size="small"
          label={t('chat.attachments.readWhole', { name })}
          words={<span className="text-small">{t('chat.attachments.readAll')}</span>}
          hint={t(isWhole ? 'chat.attachments.wholeHint' : 'chat.attachments.searchedHint')}
          aria-pressed={isWhole}
          icon={isWhole ? <BookOpenText /> : <TextSearch />}
          className="aria-pressed:bg-pressed aria-pressed:text-ink"
          onClick={() => attachments.setWhole(id, !isWhole)}
        />
      )}
    </Chip>
  )
}

interface AttachmentChipsProps {
  readonly attachments: Attachments
  /** True for a message to users: hides how a model reads the file. */
  readonly isPlain?: boolean
}

/** Attachments of the message being written, and uploads in progress. */
export function AttachmentChips({ attachments, isPlain = false }: AttachmentChipsProps) {
  const { t } = useTranslation()
  const entries = useStore(attachments.store, (state) => state.entries)
  const uploads = useStore(attachments.uploads.store, (state) => state.uploads)
  if (entries.length === 0 && uploads.length === 0) return null
  return (
    <ul
      aria-label={t('chat.attachments.title')}
      className="flex max-h-48 flex-wrap gap-1.5 overflow-y-auto px-3 pt-3"
    >
      {entries.map((entry) => (
        <EntryChip key={entry.id} entry={entry} attachments={attachments} isPlain={isPlain} />
      ))}
      {uploads.map((upload) => (
        <UploadChip key={upload.key} upload={upload} attachments={attachments} />
      ))}
    </ul>
  )
}

import {
  Download,
  Eye,
  Folder,
  FolderInput,
  FolderMinus,
  Pencil,
  RefreshCw,
  Trash2,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { FileProgress } from '#contract/files.ts'
import type { KnowledgeDirectory, KnowledgeFile } from '#contract/knowledge.ts'
import { downloadFrom } from '../../lib/download.ts'
import { formatShare } from '../../lib/format-list.ts'
import { formatBytes } from '../../lib/format-size.ts'
import { formatAge } from '../../lib/format-time.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Badge } from '../../ui/marks/badge.tsx'
import { FileIcon } from '../../ui/marks/file-icon.tsx'
import { GatewaySentence } from '../../ui/marks/gateway-sentence.tsx'
import { MenuItem, MenuSeparator } from '../../ui/floating/menu.tsx'
import { MoreMenu } from '../../ui/floating/more-menu.tsx'
import { ProgressBar } from '../../ui/marks/progress-bar.tsx'
import { downloadAddress } from '../../api/stored-document.ts'

const LINE =
  'flex items-start gap-3 py-2.5 ps-4 pe-2 [contain-intrinsic-size:auto_3.5rem] [content-visibility:auto]'
const NAME =
  'max-w-full truncate rounded-small text-start font-medium hover:underline pointer-coarse:py-2.5'

interface FileLineProps {
  readonly file: KnowledgeFile
  /** Path of its directory, when files of several directories are listed. */
  readonly place: string | null
  readonly progress: FileProgress | null
  readonly mayChange: boolean
  /** True if the user owns the file or is an administrator. */
  readonly mayReadAgain: boolean
  readonly onOpen: () => void
  readonly onMove: () => void
  readonly onReadAgain: () => void
  readonly onTakeOut: () => void
}

function FileMenu({
  file,
  mayChange,
  mayReadAgain,
  onOpen,
  onMove,
  onReadAgain,
  onTakeOut,
}: FileLineProps) {
  const { t } = useTranslation()
  const { id, filename } = file
  return (
    <MoreMenu label={t('knowledge.actionsOf', { name: filename })}>
      <MenuItem icon={<Eye />} onSelect={onOpen}>
        {t('knowledge.open')}
      </MenuItem>
      <MenuItem icon={<Download />} onSelect={() => downloadFrom(downloadAddress(id))}>
        {t('files.download')}
      </MenuItem>
      {mayChange && (
        <>
          <MenuItem icon={<FolderInput />} onSelect={onMove}>
            {t('knowledge.move')}
          </MenuItem>
          {mayReadAgain && (
            <MenuItem icon={<RefreshCw />} onSelect={onReadAgain}>
              {t('knowledge.readAgain')}
            </MenuItem>
          )}
          <MenuSeparator />
          <MenuItem danger icon={<Trash2 />} onSelect={onTakeOut}>
            {t('knowledge.takeOut')}
          </MenuItem>
        </>
      )}
    </MoreMenu>
  )
}

/** Why a file was not read, with both ways on. */
function Unread({ file, mayChange, mayReadAgain, onReadAgain, onTakeOut }: FileLineProps) {
  const { t } = useTranslation()
  const { filename: name, data } = file
  return (
    <>
      <p className="mt-1 text-small text-pretty text-danger">
        {data.error ? <GatewaySentence detail={data.error} /> : t('knowledge.failed')}
      </p>
      {mayChange && (
        <div className="mt-2 flex flex-wrap gap-2">
          {mayReadAgain && (
            <Button aria-label={t('knowledge.tryAgainOf', { name })} onClick={onReadAgain}>
              {t('knowledge.tryAgain')}
            </Button>
          )}
          <Button
            tone={mayReadAgain ? 'quiet' : 'secondary'}
            aria-label={t('knowledge.takeOutOf', { name })}
            onClick={onTakeOut}
          >
            {t('knowledge.takeOut')}
          </Button>
        </div>
      )}
    </>
  )
}

/** How far the reading of a file is. */
function Reading({ file, progress }: Pick<FileLineProps, 'file' | 'progress'>) {
  const { t } = useTranslation()
  const part = progress?.total ? progress.done / progress.total : null
  return (
    <div className="mt-1.5 flex max-w-md flex-wrap items-center gap-x-3 gap-y-1">
      <span className="block w-40 max-w-full">
        <ProgressBar label={t('files.readingOf', { name: file.filename })} value={part} />
      </span>
      <span className="text-small text-muted tabular-nums">
        {t(progress ? `files.stage.${progress.stage}` : 'files.state.reading')}
        {part !== null && ` · ${formatShare(part)}`}
      </span>
    </div>
  )
}

/** One file of a collection. */
export function FileLine(props: FileLineProps) {
  const { t } = useTranslation()
  const { file, place, progress, onOpen } = props
  const { filename, meta, data, added_at } = file
  return (
    <li className={LINE}>
      <span className="mt-0.5 shrink-0 text-muted pointer-coarse:mt-2.5 [&_svg]:size-5 [&_svg]:stroke-[1.6]">
        <FileIcon type={meta.content_type} />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <button type="button" onClick={onOpen} className={NAME}>
            <bdi>{filename}</bdi>
          </button>
          {data.status === 'failed' && <Badge tone="danger">{t('knowledge.unread')}</Badge>}
        </div>
        <p className="truncate text-small text-muted">
          {formatBytes(meta.size)} · {formatAge(added_at)}
          {place !== null && (
            <>
              {' · '}
              <bdi>{t('knowledge.inside', { path: place })}</bdi>
            </>
          )}
        </p>
        {data.status === 'failed' && <Unread {...props} />}
        {data.status === 'pending' && <Reading file={file} progress={progress} />}
      </div>
      <FileMenu {...props} />
    </li>
  )
}

interface DirectoryLineProps {
  readonly directory: KnowledgeDirectory
  readonly count: number
  readonly mayChange: boolean
  readonly onOpen: () => void
  readonly onRename: () => void
  readonly onMove: () => void
  readonly onRemove: () => void
}

/** One directory; a click opens it. */
export function DirectoryLine({
  directory,
  count,
  mayChange,
  onOpen,
  onRename,
  onMove,
  onRemove,
}: DirectoryLineProps) {
  const { t } = useTranslation()
  const { name } = directory
  return (
    <li className={LINE}>
      <Folder className="mt-0.5 size-5 shrink-0 stroke-[1.6] text-muted pointer-coarse:mt-2.5" />
      <div className="min-w-0 flex-1">
        <button type="button" onClick={onOpen} className={NAME}>
          <bdi>{name}</bdi>
        </button>
        <p className="text-small text-muted">{t('knowledge.fileCount', { count })}</p>
      </div>
      {mayChange && (
        <MoreMenu label={t('knowledge.actionsOf', { name })}>
          <MenuItem icon={<Pencil />} onSelect={onRename}>
            {t('knowledge.rename')}
          </MenuItem>
          <MenuItem icon={<FolderInput />} onSelect={onMove}>
            {t('knowledge.move')}
          </MenuItem>
          <MenuSeparator />
          <MenuItem danger icon={<FolderMinus />} onSelect={onRemove}>
            {t('knowledge.directoryRemove')}
          </MenuItem>
        </MoreMenu>
      )}
    </li>
  )
}

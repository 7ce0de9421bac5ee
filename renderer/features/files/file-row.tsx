import { Download, Eye, Pencil, RefreshCw, Waypoints } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { File as StoredFile, FileProgress } from '#contract/files.ts'
import { downloadFrom } from '../../lib/download.ts'
import { formatAge } from '../../lib/format-time.ts'
import { formatBytes } from '../../lib/format-size.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { ListRow } from '../../ui/lists/list-row.tsx'
import { MenuItem } from '../../ui/floating/menu.tsx'
import { MoreMenu, RemovalItem } from '../../ui/floating/more-menu.tsx'
import { ProgressBar } from '../../ui/marks/progress-bar.tsx'
import { FileIcon } from '../../ui/marks/file-icon.tsx'
import { GatewaySentence } from '../../ui/marks/gateway-sentence.tsx'
import { withBase } from '../../lib/base-path.ts'

interface FileRowProps {
  readonly file: StoredFile
  readonly progress: FileProgress | null
  readonly isChosen: boolean
  readonly onChoose: (chosen: boolean) => void
  readonly onOpen: () => void
  readonly onRename: () => void
  readonly onReadAgain: () => void
  readonly onUses: () => void
  readonly onRemove: () => void
}

export const downloadPath = (id: string): string =>
  withBase(`/api/v1/files/${encodeURIComponent(id)}/content?attachment=true`)

function RowMenu({ file, onOpen, onRename, onReadAgain, onUses, onRemove }: FileRowProps) {
  const { t } = useTranslation()
  return (
    <MoreMenu label={t('files.actionsOf', { name: file.filename })}>
      <MenuItem icon={<Eye />} onSelect={onOpen}>
        {t('files.open')}
      </MenuItem>
      <MenuItem icon={<Download />} onSelect={() => downloadFrom(downloadPath(file.id))}>
        {t('files.download')}
      </MenuItem>
      <MenuItem icon={<Pencil />} onSelect={onRename}>
        {t('files.rename')}
      </MenuItem>
      <MenuItem icon={<Waypoints />} onSelect={onUses}>
        {t('files.uses.show')}
      </MenuItem>
      {file.data.status !== 'pending' && (
        <MenuItem icon={<RefreshCw />} onSelect={onReadAgain}>
          {t('files.readAgain')}
        </MenuItem>
      )}
      <RemovalItem onSelect={onRemove} />
    </MoreMenu>
  )
}

function State({ file, progress }: { file: StoredFile; progress: FileProgress | null }) {
  const { t } = useTranslation()
  if (file.data.status === 'failed')
    return (
      <p className="text-small text-pretty text-danger">
        {file.data.error ? <GatewaySentence detail={file.data.error} /> : t('files.failed')}
      </p>
    )
  if (file.data.status !== 'pending') return null
  const part = progress?.total ? progress.done / progress.total : null
  return (
    <div className="flex items-center gap-3">
      <span className="block w-32 shrink-0">
        <ProgressBar label={t('files.readingOf', { name: file.filename })} value={part} />
      </span>
      <span className="text-small text-muted">
        {t(`files.stage.${progress?.stage ?? 'waiting'}`)}
      </span>
    </div>
  )
}

/** One file of the list. */
export function FileRow(props: FileRowProps) {
  const { t } = useTranslation()
  const { file, progress, isChosen, onChoose, onOpen } = props
  return (
    <ListRow
      icon={<FileIcon type={file.meta.content_type} />}
      name={file.filename}
      onOpen={onOpen}
      badges={file.data.status === 'failed' && <Badge tone="danger">{t('files.unread')}</Badge>}
      facts={[formatBytes(file.meta.size), formatAge(file.created_at)]}
      menu={<RowMenu {...props} />}
      choice={{
        label: t('files.choose', { name: file.filename }),
        checked: isChosen,
        onChange: onChoose,
      }}
    >
      {file.data.status !== 'completed' && <State file={file} progress={progress} />}
    </ListRow>
  )
}

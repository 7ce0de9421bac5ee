import { Download, Pause, Play, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ModelDownload } from '#contract/engine.ts'
import { formatBytes } from '../../lib/format-size.ts'
import { Badge } from '../marks/badge.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { ListRow, Rows } from '../lists/list-row.tsx'
import { ProgressBar } from '../marks/progress-bar.tsx'

interface DownloadRowsProps {
  readonly downloads: readonly ModelDownload[]
  readonly onChange: (id: string, change: 'pause' | 'resume' | 'cancel') => void
}

const SECONDS_PER_MINUTE = 60

function useFacts(download: ModelDownload): string[] {
  const { t } = useTranslation()
  const { completed, total, bytes_per_second: speed, status } = download
  const amount =
    total === null
      ? formatBytes(completed)
      : t('localModels.of', { completed: formatBytes(completed), total: formatBytes(total) })
  if (status !== 'running') return [amount]
  if (speed === 0) return [amount, t('localModels.waiting')]
  const rate = t('localModels.speed', { size: formatBytes(speed) })
  if (total === null) return [amount, rate]
  const count = Math.ceil((total - completed) / speed / SECONDS_PER_MINUTE)
  return [amount, rate, t('localModels.left', { count })]
}

function Row({
  download,
  onChange,
}: {
  download: ModelDownload
  onChange: DownloadRowsProps['onChange']
}) {
  const { t } = useTranslation()
  const { id, name, status, completed, total, error } = download
  const facts = useFacts(download)
  const isRunning = status === 'running'
  return (
    <ListRow
      icon={<Download />}
      name={name}
      badges={
        <Badge tone={status === 'failed' ? 'danger' : 'neutral'}>
          {t(`localModels.status.${status}`)}
        </Badge>
      }
      facts={facts}
      controls={
        <>
          <IconButton
            label={t(isRunning ? 'localModels.pauseNamed' : 'localModels.resumeNamed', { name })}
            icon={isRunning ? <Pause /> : <Play />}
            onClick={() => onChange(id, isRunning ? 'pause' : 'resume')}
          />
          <IconButton
            label={t('localModels.cancelNamed', { name })}
            icon={<X />}
            onClick={() => onChange(id, 'cancel')}
          />
        </>
      }
    >
      <ProgressBar
        label={t('localModels.progress', { name })}
        value={total === null || total === 0 ? null : completed / total}
      />
      {error !== null && <p className="mt-1.5 text-small text-pretty text-danger">{error}</p>}
    </ListRow>
  )
}

/** Rows of running downloads of models. */
export function DownloadRows({ downloads, onChange }: DownloadRowsProps) {
  const { t } = useTranslation()
  return (
    <Rows label={t('localModels.downloads')}>
      {downloads.map((download) => (
        <Row key={download.id} download={download} onChange={onChange} />
      ))}
    </Rows>
  )
}
